import { LatchkeyError } from '@latchkey/protocol'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { asksOf, codeOf, errorOf, makeClient } from '../testing/client.ts'

beforeEach(() => vi.stubGlobal('document', new EventTarget()))
afterEach(() => vi.unstubAllGlobals())

describe('a handle', () => {
  it('settles its own calls when it is destroyed, and no others', async () => {
    const { makeHandle, handle: other, opened } = makeClient()
    const release = vi.fn()
    const handle = makeHandle(release)
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

  it('that is destroyed tells what was done meanwhile, and lets go of the frame after that', async () => {
    const { makeHandle, opened } = makeClient({ takesBack: false })
    const release = vi.fn()
    const handle = makeHandle(release)
    const sent = handle.sendTransaction({ to: `0x${'1'.repeat(40)}`, value: '0x1' })
    const [asked] = await asksOf(opened[0])
    handle.destroy()
    expect(asked?.signal?.aborted).toBe(true)
    expect(release).not.toHaveBeenCalled()
    const receipt = { transactionHash: '0x5', status: null, gasUsed: null, effectiveGasPrice: null }
    asked?.resolve({ receipt })
    expect(await sent).toEqual(receipt)
    await vi.waitFor(() => expect(release).toHaveBeenCalledTimes(1))
  })

  it.each(['signal', 'refusal'] as const)('tells what was done before a %s', async (by) => {
    const { handle, opened } = makeClient({ takesBack: false })
    const caller = new AbortController()
    const sent = handle.sendTransaction(
      { to: `0x${'1'.repeat(40)}`, value: '0x1' },
      { signal: caller.signal },
    )
    const [asked] = await asksOf(opened[0])
    if (by === 'signal') caller.abort()
    else opened[0]?.onRefused()
    expect(asked?.signal?.aborted).toBe(true)
    const receipt = { transactionHash: '0x5', status: null, gasUsed: null, effectiveGasPrice: null }
    asked?.resolve({ receipt })
    expect(await sent).toEqual(receipt)
  })

  it.each([
    [true, [false, false, false, true, true]],
    [false, [true, true, true, true, true]],
  ])('covers the page only for calls that show a card; no prompts: %s', async (none, shows) => {
    const { client, handle, opened } = makeClient()
    await handle.setConfig({ embeddedWallets: { noPromptOnSignature: none } })
    const calls = [
      handle.signMessage('hi'),
      handle.signTypedData('{}'),
      handle.sendTransaction({ to: `0x${'1'.repeat(40)}`, value: '0x1' }),
      handle.linkEmail(),
      handle.login(),
      handle.getUser(),
      handle.getAccessToken(),
    ]
    for (const call of calls) call.catch(() => {})
    expect(opened[0]?.asked.map((asked) => asked.shows)).toEqual([...shows, false, false])
    client.close(new LatchkeyError('client_destroyed', 'over'))
  })

  it('takes its calls back at the dialog when it is destroyed', () => {
    const { makeHandle, handle: other, opened } = makeClient()
    const handle = makeHandle()
    handle.signMessage('own').catch(() => {})
    other.signMessage('other').catch(() => {})
    handle.destroy()
    expect(opened[0]?.asked.map(({ signal }) => signal?.aborted)).toEqual([true, false])
  })

  it('takes a call back when its caller does', async () => {
    const { handle, opened } = makeClient()
    const caller = new AbortController()
    const signed = handle.signMessage('hi', { title: 'Sign', signal: caller.signal })
    const [asked] = await asksOf(opened[0])
    expect(asked?.data).toEqual({ call: 'signMessage', data: { message: 'hi', ui: { title: 'Sign' } } })
    const reason = new Error('no longer')
    caller.abort(reason)
    expect(await errorOf(signed)).toMatchObject({ code: 'call_cancelled', cause: reason })
    expect(opened[0]?.asked[0]?.signal?.aborted).toBe(true)
    const late = await codeOf(handle.login({ signal: caller.signal }))
    expect(late).toBe('call_cancelled')
    expect(opened[0]?.asked).toHaveLength(1)
  })

  it('leaves a call alone that was answered before its caller took it back', async () => {
    const { handle, opened } = makeClient()
    const caller = new AbortController()
    const signed = handle.signMessage('hi', { signal: caller.signal })
    opened[0]?.asked[0]?.resolve({ signature: '0x1', address: '0x2' })
    expect(await signed).toEqual({ signature: '0x1', address: '0x2' })
    caller.abort()
    expect(opened[0]?.asked[0]?.signal?.aborted).toBe(false)
  })

  it('tells listeners until they are off or the handle is destroyed', () => {
    const { handle, opened } = makeClient()
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

  it('is ready when it is known who is logged in', async () => {
    const { handle, opened } = makeClient()
    const answers = [{ user: { id: 'u1' } }, { user: null }]
    for (const [index, answer] of answers.entries()) {
      const ready = handle.ready
      expect(opened[0]?.asked.map(({ name }) => name)).toEqual(Array(index + 1).fill('user'))
      opened[0]?.asked[index]?.resolve(answer)
      expect(await ready).toEqual({ authenticated: answer.user !== null })
    }
  })

  it('loads the dialog when somebody asks whether it is ready', () => {
    const { handle, opened } = makeClient()
    expect(opened).toHaveLength(0)
    handle.ready
    expect(opened).toHaveLength(1)
  })
})
