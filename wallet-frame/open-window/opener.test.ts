import { exportPath, type OpenedPage, recoveryPath } from '@latchkey/protocol/wallet'
import { describe, expect, test } from 'vitest'
import { testClock } from '../testing/clock.ts'
import { createOpener } from './opener.ts'

const handle = 'h'.repeat(43)

type Given = { comes?: boolean; search?: string; page?: OpenedPage }

function open({ comes = true, search = '', page = 'confirm' }: Given = {}) {
  const clock = testClock()
  const opened: {
    address: string
    features: string
    closed: boolean
    focus: () => void
  }[] = []
  const focusedWindows: string[] = []
  const told: string[] = []
  const opener = createOpener({
    appId: 'app',
    origin: 'https://wallet.example',
    handle,
    parameters: { page },
    passedOn: new URLSearchParams(search),
    clock,
    open(address, features) {
      const window = { address, features, closed: false, focus: () => focusedWindows.push(address) }
      opened.push(window)
      return comes ? window : null
    },
    tell: (state) => told.push(state),
  })
  return { clock, opened, told, opener, focused: () => focusedWindows.length }
}

describe('a press on the button', () => {
  test.each<[OpenedPage, string]>([
    ['recovery', recoveryPath('app')],
    ['embedded-wallets/export', exportPath('app')],
  ])('for the page %s opens %s', (page, path) => {
    const { opener, opened } = open({ page })
    opener.press()
    expect(opened[0]?.address).toBe(`https://wallet.example${path}#${handle}`)
  })

  test('opens the page with the handle in the URL fragment, and reports it to the dialog', () => {
    const { opener, opened, told } = open({ search: 'caid=a&client_id=&lang=ar&label=Go&accent=%23fff' })
    opener.press()
    expect(opened.map(({ address }) => address)).toEqual([
      `https://wallet.example/apps/app/confirm?caid=a&client_id=&lang=ar#${handle}`,
    ])
    expect(opened[0]?.features).toMatch(/^popup,width=\d+,height=\d+$/)
    expect(told).toEqual(['open'])
  })

  test('opens the export page with the wallet address and the theme colours (spec W2.26)', () => {
    const search =
      'caid=a&client_id=c&lang=en&label=Go&width=320&address=0x1&scheme=dark&surface=%231d1d21&text=%23f2f2f5'
    const { opener, opened } = open({ search, page: 'embedded-wallets/export' })
    opener.press()
    const url = new URL(opened[0]?.address ?? '')
    expect(url.pathname).toBe('/apps/app/embedded-wallets/export')
    expect(Object.fromEntries(url.searchParams)).toEqual({
      caid: 'a',
      client_id: 'c',
      lang: 'en',
      address: '0x1',
      scheme: 'dark',
      surface: '#1d1d21',
      text: '#f2f2f5',
    })
  })

  test('reports an unknown state if the browser returns no window', () => {
    const { opener, told, clock } = open({ comes: false })
    opener.press()
    clock.advance(10_000)
    expect(told).toEqual(['unknown'])
  })

  test('reports once that its window was closed', () => {
    const { opener, opened, told, clock } = open()
    opener.press()
    clock.advance(900)
    expect(told).toEqual(['open'])
    const [window] = opened
    if (window) window.closed = true
    clock.advance(300)
    clock.advance(3_000)
    expect(told).toEqual(['open', 'closed'])
  })

  test('focuses the open window, or opens another one after it was closed', () => {
    const { opener, opened, told, clock, focused } = open()
    opener.press()
    opener.press()
    expect([opened.length, focused()]).toEqual([1, 1])
    const [first] = opened
    if (first) first.closed = true
    opener.press()
    clock.advance(300)
    clock.advance(300)
    expect([opened.length, focused()]).toEqual([2, 1])
    expect(told).toEqual(['open', 'open', 'open'])
  })
})
