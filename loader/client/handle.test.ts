import { LatchkeyError } from '@latchkey/protocol'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { getError, getErrorCode, makeClient, resolvedCalls } from '../testing/client.ts'

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
    expect(await getErrorCode(own)).toBe('client_destroyed')
    expect(await getErrorCode(handle.getUser())).toBe('client_destroyed')
    expect(await getErrorCode(handle.ready)).toBe('client_destroyed')
    expect(release).toHaveBeenCalledTimes(1)
    opened[0]?.calls[1]?.resolve({ signature: '0x1', address: '0x2' })
    expect(await others).toEqual({ signature: '0x1', address: '0x2' })
  })

  it('reports completed calls when it is destroyed, and releases the frame after that', async () => {
    const { makeHandle, opened } = makeClient({ rejectsOnAbort: false })
    const release = vi.fn()
    const handle = makeHandle(release)
    const sent = handle.sendTransaction({ to: `0x${'1'.repeat(40)}`, value: '0x1' })
    const [asked] = await resolvedCalls(opened[0])
    handle.destroy()
    expect(asked?.signal?.aborted).toBe(true)
    expect(release).not.toHaveBeenCalled()
    const receipt = { transactionHash: '0x5', status: null, gasUsed: null, effectiveGasPrice: null }
    asked?.resolve({ receipt })
    expect(await sent).toEqual(receipt)
    await vi.waitFor(() => expect(release).toHaveBeenCalledTimes(1))
  })

  it.each(['signal', 'refusal'] as const)('reports a call that completed before a %s', async (by) => {
    const { handle, opened } = makeClient({ rejectsOnAbort: false })
    const caller = new AbortController()
    const sent = handle.sendTransaction(
      { to: `0x${'1'.repeat(40)}`, value: '0x1' },
      { signal: caller.signal },
    )
    const [asked] = await resolvedCalls(opened[0])
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
  ])('covers the page only for calls that show a card; noPromptOnSignature: %s', async (none, shows) => {
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
    expect(opened[0]?.calls.map((asked) => asked.shows)).toEqual([...shows, false, false])
    client.close(new LatchkeyError('client_destroyed', 'over'))
  })

  it('cancels its calls at the dialog when it is destroyed', () => {
    const { makeHandle, handle: other, opened } = makeClient()
    const handle = makeHandle()
    handle.signMessage('own').catch(() => {})
    other.signMessage('other').catch(() => {})
    handle.destroy()
    expect(opened[0]?.calls.map(({ signal }) => signal?.aborted)).toEqual([true, false])
  })

  it('cancels a call when its signal aborts', async () => {
    const { handle, opened } = makeClient()
    const caller = new AbortController()
    const signed = handle.signMessage('hi', { title: 'Sign', signal: caller.signal })
    const [asked] = await resolvedCalls(opened[0])
    expect(asked?.data).toEqual({ call: 'signMessage', data: { message: 'hi', ui: { title: 'Sign' } } })
    const reason = new Error('no longer')
    caller.abort(reason)
    expect(await getError(signed)).toMatchObject({ code: 'call_cancelled', cause: reason })
    expect(opened[0]?.calls[0]?.signal?.aborted).toBe(true)
    const late = await getErrorCode(handle.login({ signal: caller.signal }))
    expect(late).toBe('call_cancelled')
    expect(opened[0]?.calls).toHaveLength(1)
  })

  it('ignores a signal that aborts after the response', async () => {
    const { handle, opened } = makeClient()
    const caller = new AbortController()
    const signed = handle.signMessage('hi', { signal: caller.signal })
    opened[0]?.calls[0]?.resolve({ signature: '0x1', address: '0x2' })
    expect(await signed).toEqual({ signature: '0x1', address: '0x2' })
    caller.abort()
    expect(opened[0]?.calls[0]?.signal?.aborted).toBe(false)
  })

  it('calls listeners until they are removed or the handle is destroyed', () => {
    const { handle, opened } = makeClient()
    const received: string[] = []
    const off = handle.on('open', () => received.push('open'))
    handle.on('close', () => received.push('close'))
    handle.getUser().catch(() => {})
    opened[0]?.onShown(true)
    off()
    opened[0]?.onShown(true)
    opened[0]?.onShown(false)
    expect(received).toEqual(['open', 'close'])
    handle.destroy()
    opened[0]?.onShown(false)
    expect(received).toEqual(['open', 'close'])
  })

  it('becomes ready when the session is known', async () => {
    const { handle, opened } = makeClient()
    const answers = [{ user: { id: 'u1' } }, { user: null }]
    for (const [index, answer] of answers.entries()) {
      const ready = handle.ready
      expect(opened[0]?.calls.map(({ name }) => name)).toEqual(Array(index + 1).fill('user'))
      opened[0]?.calls[index]?.resolve(answer)
      expect(await ready).toEqual({ authenticated: answer.user !== null })
    }
  })

  it('loads the dialog when ready is read', () => {
    const { handle, opened } = makeClient()
    expect(opened).toHaveLength(0)
    handle.ready
    expect(opened).toHaveLength(1)
  })
})
