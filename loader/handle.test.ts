import { describe, expect, it, vi } from 'vitest'
import { createHandle } from './handle.ts'
import { codeOf, makeClient } from './testing/client.ts'

const makeHandle = () => {
  const made = makeClient()
  const release = vi.fn()
  return { ...made, release, handle: createHandle('a'.repeat(25), { client: made.client, release }) }
}

describe('a handle', () => {
  it('settles its own calls when it is destroyed, and no others', async () => {
    const { client, handle, opened, release } = makeHandle()
    const other = createHandle('a'.repeat(25), { client, release })
    const own = handle.signMessage('own')
    const others = other.signMessage('other')
    handle.destroy()
    handle.destroy()
    expect(await codeOf(own)).toBe('client_destroyed')
    expect(await codeOf(handle.getUser())).toBe('client_destroyed')
    expect(await codeOf(handle.ready)).toBe('client_destroyed')
    expect(release).toHaveBeenCalledTimes(1)
    opened[0]?.asked[1]?.resolve({ signature: '0x1', address: '0x2' })
    expect(await others).toEqual({ signature: '0x1', address: '0x2' })
  })

  it('tells listeners until they are off or the handle is destroyed', () => {
    const { handle, opened } = makeHandle()
    const told: string[] = []
    const off = handle.on('open', () => told.push('open'))
    handle.on('close', () => told.push('close'))
    handle.getUser().catch(() => {})
    opened[0]?.onShown(true)
    off()
    opened[0]?.onShown(true)
    opened[0]?.onShown(false)
    expect(told).toEqual(['open', 'close'])
    handle.destroy()
    opened[0]?.onShown(false)
    expect(told).toEqual(['open', 'close'])
  })

  it('loads the dialog when somebody asks whether it is ready', () => {
    const { handle, opened } = makeHandle()
    expect(opened).toHaveLength(0)
    handle.ready
    expect(opened).toHaveLength(1)
  })
})
