import { type Connection, connect as connectPenpal, WindowMessenger as PenpalMessenger } from 'penpal'
import { afterEach, describe, expect, it } from 'vitest'
import { type FakeWindow, inWindow, makeWindows } from '../testing/windows.ts'
import { connect, WindowMessenger } from './penpal.ts'

const hostOrigin = 'https://app.example'
const dialogOrigin = 'https://dialog.example'
type Remote = { call: (message: unknown) => Promise<unknown> }

const open: { destroy(): void }[] = []
const later = () => new Promise((resolve) => setTimeout(resolve, 20))

function openLean(
  { parent, child }: { parent: FakeWindow; child: FakeWindow },
  call = (message: unknown) => message,
) {
  const connection = inWindow(parent, () => {
    const messenger = WindowMessenger({ remoteWindow: child.asWindow, allowedOrigins: [dialogOrigin] })
    return { messenger, ...connect({ messenger, methods: { call }, timeout: 1_000, channel: 'test' }) }
  })
  open.push(connection)
  return connection
}

function openPenpal(
  { parent, child }: { parent: FakeWindow; child: FakeWindow },
  call = (message: unknown) => message,
) {
  const connection: Connection<Remote> = inWindow(child, () =>
    connectPenpal<Remote>({
      messenger: new PenpalMessenger({ remoteWindow: parent.asWindow, allowedOrigins: [hostOrigin] }),
      methods: { call },
      timeout: 1_000,
      channel: 'test',
    }),
  )
  open.push(connection)
  return connection
}

describe('the lean end of penpal', () => {
  afterEach(() => {
    for (const { destroy } of open.splice(0)) destroy()
  })

  // Who leads the handshake is decided by random ids: both ways come up in ten runs.
  it.each(Array.from({ length: 10 }, (_, run) => ({ run, first: run % 2 === 0 ? 'host' : 'dialog' })))(
    'shakes hands with penpal itself, whoever is first: $first, run $run',
    async ({ first }) => {
      const windows = makeWindows(hostOrigin, dialogOrigin)
      const ends = {
        host: () => openLean(windows),
        dialog: () => openPenpal(windows, (text) => `dialog ${text}`),
      }
      const [one, two] = first === 'host' ? [ends.host(), ends.dialog()] : [ends.dialog(), ends.host()]
      const [a, b] = await Promise.all([one.promise, two.promise])
      const [host, dialog] = first === 'host' ? [a, b] : [b, a]
      expect(await host.call('hello')).toBe('dialog hello')
      expect(await dialog.call({ deep: [1, null] })).toEqual({ deep: [1, null] })
    },
  )

  it('keeps answers apart', async () => {
    const windows = makeWindows(hostOrigin, dialogOrigin)
    const lean = openLean(windows)
    openPenpal(windows, (wait) => new Promise((resolve) => setTimeout(() => resolve(wait), Number(wait))))
    const remote = await lean.promise
    expect(await Promise.all([remote.call(15), remote.call(1), remote.call(8)])).toEqual([15, 1, 8])
  })

  it('rejects a call that the other end rejects', async () => {
    const windows = makeWindows(hostOrigin, dialogOrigin)
    const lean = openLean(windows)
    openPenpal(windows, () => Promise.reject('no'))
    await expect((await lean.promise).call('x')).rejects.toBe('no')
  })

  it('shakes hands again with a document that was reloaded', async () => {
    const windows = makeWindows(hostOrigin, dialogOrigin)
    const lean = openLean(windows)
    await openPenpal(windows).promise
    const remote = await lean.promise
    windows.child.clear()
    const reloaded = openPenpal(windows, () => 'reloaded')
    expect(await (await reloaded.promise).call('hello')).toBe('hello')
    expect(await remote.call('hello')).toBe('reloaded')
  })

  it('hears nothing from another origin, another window or another channel', async () => {
    const windows = makeWindows(hostOrigin, dialogOrigin)
    const lean = openLean(windows)
    const heard: unknown[] = []
    lean.messenger.addMessageHandler((message) => heard.push(message.type))
    const syn = { namespace: 'penpal', channel: 'test', type: 'SYN', participantId: 'x' }
    const source = windows.child.asWindow
    windows.parent.receive(syn, { source, origin: 'https://evil.example' })
    windows.parent.receive(syn, { source: windows.parent.asWindow, origin: dialogOrigin })
    windows.parent.receive({ ...syn, channel: 'other' }, { source, origin: dialogOrigin })
    windows.parent.receive({ ...syn, namespace: 'other' }, { source, origin: dialogOrigin })
    for (const junk of [null, undefined, 'SYN', 7, []])
      windows.parent.receive(junk, { source, origin: dialogOrigin })
    expect(heard).toEqual([])
    windows.parent.receive(syn, { source, origin: dialogOrigin })
    expect(heard).toEqual(['SYN'])
  })

  it('ends with the other end, and tells it when it ends', async () => {
    const windows = makeWindows(hostOrigin, dialogOrigin)
    const lean = openLean(windows)
    const penpal = openPenpal(windows)
    const [remote, back] = await Promise.all([lean.promise, penpal.promise])
    lean.destroy()
    await later()
    expect(() => back.call('x')).toThrow('destroyed')
    await expect(remote.call('x')).rejects.toBeUndefined()
  })

  it('gives up after its time when nobody is there', async () => {
    const { parent, child } = makeWindows(hostOrigin, dialogOrigin)
    const messenger = inWindow(parent, () =>
      WindowMessenger({ remoteWindow: child.asWindow, allowedOrigins: [dialogOrigin] }),
    )
    const { promise } = connect({ messenger, methods: { call: () => 0 }, timeout: 5, channel: 'test' })
    await expect(promise).rejects.toBeUndefined()
  })
})
