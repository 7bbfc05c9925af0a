import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { saveText } from './recovery-file.ts'

const clicked: { href: string; download: string }[] = []
beforeEach(() => {
  vi.useFakeTimers()
  clicked.length = 0
  vi.stubGlobal('document', {
    createElement: () => {
      const link = {
        href: '',
        download: '',
        click: () => void clicked.push({ href: link.href, download: link.download }),
      }
      return link
    },
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('keeps the recovery file readable for a minute after the click', () => {
  const revoked = vi.spyOn(URL, 'revokeObjectURL')
  saveText('notes-wallet-recovery.txt', 'twelve words')
  const address = clicked[0]?.href ?? ''
  expect(clicked).toEqual([{ href: expect.stringMatching(/^blob:/), download: 'notes-wallet-recovery.txt' }])
  vi.advanceTimersByTime(59_999)
  expect(revoked).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(revoked).toHaveBeenCalledExactlyOnceWith(address)
})

test('saves the file again with a new URL on a second press', () => {
  saveText('notes-wallet-recovery.txt', 'twelve words')
  saveText('notes-wallet-recovery.txt', 'twelve words')
  expect(clicked).toHaveLength(2)
  expect(clicked[1]?.href).not.toBe(clicked[0]?.href)
})
