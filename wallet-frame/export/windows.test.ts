/** The frame's side of the export window: what it receives, and what it sends. */
import { LatchkeyError } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { createOpenedPages, type OpenedPagesPorts } from '../pages/handshake/opened-pages.ts'
import { openedPageFacts } from '../pages/testing/opened-page.facts.ts'
import type { StepCall } from '../shares/ports.ts'
import { createExportWindows, type ExportWindowPorts } from './windows.ts'

const origin = 'https://wallet.example'
const appId = 'a'.repeat(25)
const path = `/apps/${appId}/embedded-wallets/export`
const handle = 'h'.repeat(43)
const address = '0x52908400098527886E0F7030069857D2E4169EE7'
const digest = `0x${'d1'.repeat(32)}`
const vaultKey = 'k'.repeat(87)
const patient = new AbortController().signal
const operation = { id: 'op_1', step: 1 }
const auth = { v: 1, enc: 'auth', ct: 'AA' } as const
const device = { v: 1, enc: 'device', ct: 'AA' } as const
const line = {
  userId: 'user_1',
  walletId: 'wallet_1',
  kind: 'entropy',
  chain: 'ethereum',
  generation: 1,
} as const
const confirmation = { window: handle, userId: 'user_1', handle: 'c'.repeat(43), digest }
const stated = {
  operation,
  purpose: 'export',
  address,
  digest,
  dialogKey: 'j'.repeat(43),
  userId: 'user_1',
} as const
const data = { accessToken: 'token', operation, address, window: handle }

type Options = {
  side: string
  target: { window: object; origin: string }
  handlers: { begin: (data: { publicKey: string }) => unknown }
  onClose: () => void
}

function setUp({ released = address } = {}) {
  const hearing: ((message: Pick<MessageEvent, 'data' | 'origin' | 'source'>) => void)[] = []
  const vaultCalls: unknown[] = []
  const windowCalls: unknown[] = []
  const serverAsked: unknown[] = []
  /** The signals of the calls to the window. */
  const endings: (AbortSignal | undefined)[] = []
  let answers: (name: string) => Promise<object> = async () => ({})
  let options: Options | undefined
  let isOpen = false
  const vault: { refusal: Error | undefined } = { refusal: undefined }

  const frame = createExportWindows({
    appId,
    clouds: { addresses: {}, fetch: () => Promise.reject(new Error('Nobody asks a cloud')) },
    opened: createOpenedPages({
      origin,
      onMessage: (hear) => hearing.push(hear),
      openChannel: ((given: Options) => {
        options = given
        isOpen = true
        return {
          ready: Promise.resolve(),
          call(name: string, said: unknown, how?: { signal: AbortSignal }) {
            windowCalls.push([name, said])
            endings.push(how?.signal)
            return answers(name)
          },
          destroy() {
            isOpen = false
          },
        }
      }) as unknown as OpenedPagesPorts['openChannel'],
    }),
    vault: {
      async call(name: string, input: unknown) {
        vaultCalls.push([name, input])
        if (vault.refusal) throw vault.refusal
        return name === 'sealForExport' ? { device } : { statement: `signed for ${name}` }
      },
    } as unknown as ExportWindowPorts['vault'],
    api: (async (_route: unknown, { token }: StepCall) => {
      serverAsked.push(token)
      return { wallet: { ...line, address: released }, authShare: auth }
    }) as unknown as ExportWindowPorts['api'],
  })

  /** Posts a hello from a top-level window. Returns whether it was answered. */
  function sayHello(): boolean {
    let isHere = false
    const page: object = {
      location: { pathname: path },
      postMessage: () => {
        isHere = true
      },
      get top() {
        return page
      },
    }
    for (const hear of hearing)
      hear({ data: { type: 'latchkey:page:hello', handle }, origin, source: page as Window })
    return isHere
  }
  const call: StepCall = { token: 'token', operation, signal: patient, withFactor: (ask) => ask({}) }

  async function begun() {
    const beginning = frame.begin({ window: handle, address }, patient)
    expect(sayHello()).toBe(true)
    expect(options?.handlers.begin({ publicKey: vaultKey })).toEqual({ address })
    expect(await beginning).toEqual({ publicKey: vaultKey })
  }
  return {
    frame,
    call,
    begun,
    sayHello,
    vaultCalls,
    windowCalls,
    serverAsked,
    closes: () => options?.onClose(),
    begin: (publicKey: string) => options?.handlers.begin({ publicKey }),
    answer(with_: typeof answers) {
      answers = with_
    },
    isOpen: () => isOpen,
    vault,
    endings,
  }
}

describe('the export page', () => {
  openedPageFacts({
    path: 'embedded-wallets/export',
    create(side) {
      const nobody = () => expect.unreachable()
      const windows = createExportWindows({
        ...side,
        clouds: { addresses: {}, fetch: nobody },
        vault: { call: nobody } as unknown as ExportWindowPorts['vault'],
        api: nobody as unknown as ExportWindowPorts['api'],
      })
      return {
        wait: (window) => void windows.begin({ window, address }, patient).catch(() => {}),
        end: windows.end,
      }
    },
  })
})

describe('an export window', () => {
  test('receives the wallet, approves, and receives both shares for its own vault', async () => {
    const { frame, call, begun, vaultCalls, windowCalls, serverAsked } = setUp()
    await begun()
    expect(await frame.confirm(confirmation, patient)).toEqual({ statement: 'signed for approve' })
    expect(await frame.state(handle, stated, patient)).toEqual({ statement: 'signed for stateExport' })
    await frame.open(data, call)
    const wallet = { appId, ...line, address }
    expect(serverAsked).toEqual(['token'])
    expect(vaultCalls).toEqual([
      ['approve', { appId, userId: 'user_1', handle: 'c'.repeat(43), digest }],
      ['stateExport', { ...stated, appId, vaultKey }],
      ['sealForExport', { wallet, operation, vaultKey }],
    ])
    expect(windowCalls).toEqual([
      ['confirm', { digest }],
      ['open', { wallet, operation, auth, device }],
    ])
  })

  test("receives nothing before the user's approval, and no server call is made", async () => {
    const { frame, call, begun, serverAsked, vaultCalls } = setUp()
    await begun()
    await expect(frame.open(data, call)).rejects.toMatchObject({ code: 'not_found' })
    expect([serverAsked, vaultCalls]).toEqual([[], []])
  })

  test.each([
    ['refuses', new LatchkeyError('user_rejected_request', 'No'), 'user_rejected_request'],
    ['closes it', new LatchkeyError('channel_closed', 'Gone'), 'user_rejected_request'],
    ['sees something else', new LatchkeyError('invalid_data', 'Another'), 'invalid_data'],
  ])('has nothing signed if the user %s', async (_what, error, code) => {
    const { frame, call, begun, answer, vaultCalls } = setUp()
    await begun()
    answer(() => Promise.reject(error))
    await expect(frame.confirm(confirmation, patient)).rejects.toMatchObject({ code })
    await expect(frame.open(data, call)).rejects.toMatchObject({ code: 'not_found' })
    expect(vaultCalls).toEqual([])
  })

  test('receives no share of another wallet than the shown one', async () => {
    const other = '0x0000000000000000000000000000000000000001'
    const { frame, call, begun, vaultCalls } = setUp({ released: other })
    await begun()
    await frame.confirm(confirmation, patient)
    for (const asked of [address, other]) {
      await expect(frame.open({ ...data, address: asked }, call)).rejects.toMatchObject({
        code: 'share_mismatch',
      })
    }
    expect(vaultCalls).toHaveLength(1)
  })

  test('has its key stated only for an export of its user', async () => {
    const { frame, begun } = setUp()
    await expect(frame.state(handle, stated, patient)).rejects.toMatchObject({ code: 'not_found' })
    await begun()
    for (const change of [{ purpose: 'sign' }, { userId: null }] as const) {
      await expect(frame.state(handle, { ...stated, ...change }, patient)).rejects.toMatchObject({
        code: 'invalid_request_arguments',
      })
    }
    await expect(frame.state(handle, stated, patient)).resolves.toBeDefined()
  })

  test('reports its key once', async () => {
    const { begun, begin } = setUp()
    await begun()
    expect(() => begin('another'.padEnd(87, 'k'))).toThrow(expect.objectContaining({ code: 'not_found' }))
  })

  test('ends pending calls when the user closes it', async () => {
    const { frame, begun, closes } = setUp()
    await begun()
    const closed = frame.closed(handle, patient)
    closes()
    await closed
    await expect(frame.confirm(confirmation, patient)).rejects.toMatchObject({ code: 'not_found' })
    await expect(frame.closed(handle, patient)).resolves.toBeUndefined()
  })

  test('closed before it began rejects the export', async () => {
    const { frame, sayHello, closes } = setUp()
    const beginning = frame.begin({ window: handle, address }, patient)
    sayHello()
    closes()
    await expect(beginning).rejects.toMatchObject({ code: 'user_rejected_request' })
  })

  test('is closed when the dialog ends it, after receiving the problem if there is one', async () => {
    const { frame, begun, isOpen, windowCalls } = setUp()
    await begun()
    frame.end(handle)
    expect([isOpen(), windowCalls]).toEqual([false, []])
    const other = setUp()
    await other.begun()
    other.frame.end(handle, { code: 'share_mismatch' })
    await new Promise((resolve) => setImmediate(resolve))
    expect(other.windowCalls).toEqual([['over', { code: 'share_mismatch' }]])
    expect(other.isOpen()).toBe(false)
  })

  test('ends when its caller aborts', async () => {
    const { frame, sayHello } = setUp()
    const caller = new AbortController()
    const beginning = frame.begin({ window: handle, address }, caller.signal)
    caller.abort(new LatchkeyError('call_cancelled', 'Gone'))
    await expect(beginning).rejects.toMatchObject({ code: 'call_cancelled' })
    expect(sayHello()).toBe(false)
  })
})

/** Returns whether the work has settled by now. */
async function isSettled(work: Promise<unknown>): Promise<boolean> {
  const pending = Symbol('pending')
  await new Promise((resolve) => setImmediate(resolve))
  return (await Promise.race([work.catch(() => {}), Promise.resolve(pending)])) !== pending
}

describe('the calls between the frame and an export window', () => {
  test('fail before the window has reported its key', async () => {
    const { frame, call, sayHello, windowCalls, vaultCalls, begin } = setUp()
    const beginning = frame.begin({ window: handle, address }, patient)
    expect(sayHello()).toBe(true)
    const none = { code: 'not_found' }
    await expect(frame.confirm(confirmation, patient)).rejects.toMatchObject(none)
    await expect(frame.state(handle, stated, patient)).rejects.toMatchObject(none)
    await expect(frame.open(data, call)).rejects.toMatchObject(none)
    expect([windowCalls, vaultCalls]).toEqual([[], []])
    begin(vaultKey)
    await beginning
    await expect(frame.confirm(confirmation, patient)).resolves.toEqual({ statement: 'signed for approve' })
  })

  test('abort with their callers', async () => {
    const { frame, call, begun, endings } = setUp()
    await begun()
    const [confirming, opening] = [new AbortController().signal, new AbortController().signal]
    await frame.confirm(confirmation, confirming)
    await frame.open(data, { ...call, signal: opening })
    expect(endings).toHaveLength(2)
    expect([endings[0] === confirming, endings[1] === opening]).toEqual([true, true])
  })

  test('release no key if the vault fails to sign the approval', async () => {
    const { frame, call, begun, vault, serverAsked } = setUp()
    await begun()
    vault.refusal = new LatchkeyError('device_not_bound', 'No key')
    await expect(frame.confirm(confirmation, patient)).rejects.toBe(vault.refusal)
    vault.refusal = undefined
    await expect(frame.open(data, call)).rejects.toMatchObject({ code: 'not_found' })
    expect(serverAsked).toEqual([])
    await frame.confirm(confirmation, patient)
    await expect(frame.open(data, call)).resolves.toBeUndefined()
  })

  test('release no key if the dialog names another wallet than the server', async () => {
    const { frame, call, begun, vaultCalls } = setUp()
    await begun()
    await frame.confirm(confirmation, patient)
    const other = { ...data, address: '0x0000000000000000000000000000000000000001' }
    await expect(frame.open(other, call)).rejects.toMatchObject({ code: 'share_mismatch' })
    expect(vaultCalls).toHaveLength(1)
    await expect(frame.open(data, call)).resolves.toBeUndefined()
  })

  test('complete an export when the window has it, and fail if it has gone', async () => {
    const { frame, call, begun, answer } = setUp()
    await begun()
    await frame.confirm(confirmation, patient)
    const taken = Promise.withResolvers<object>()
    answer(() => taken.promise)
    const opening = frame.open(data, call)
    expect(await isSettled(opening)).toBe(false)
    taken.reject(new LatchkeyError('channel_closed', 'Gone'))
    await expect(opening).rejects.toMatchObject({ code: 'user_rejected_request' })
  })
})

describe('the end of an export window', () => {
  test('is awaited until the user closes it or the caller aborts', async () => {
    const { frame, begun, closes } = setUp()
    await begun()
    const closed = frame.closed(handle, patient)
    const caller = new AbortController()
    const left = frame.closed(handle, caller.signal)
    expect(await isSettled(closed)).toBe(false)
    caller.abort(new LatchkeyError('call_cancelled', 'Gone'))
    await expect(left).rejects.toMatchObject({ code: 'call_cancelled' })
    expect(await isSettled(closed)).toBe(false)
    closes()
    await expect(closed).resolves.toBeUndefined()
  })

  test('follows after the window has received the problem', async () => {
    const { frame, begun, answer, isOpen } = setUp()
    await begun()
    const heard = Promise.withResolvers<object>()
    answer((name) => (name === 'over' ? heard.promise : Promise.resolve({})))
    const closed = frame.closed(handle, patient)
    frame.end(handle, { code: 'share_mismatch' })
    await expect(frame.confirm(confirmation, patient)).rejects.toMatchObject({ code: 'not_found' })
    expect([isOpen(), await isSettled(closed)]).toEqual([true, false])
    heard.resolve({})
    await closed
    expect(isOpen()).toBe(false)
  })

  test('follows even if the window does not acknowledge the problem', async () => {
    const { frame, begun, answer, isOpen } = setUp()
    await begun()
    answer(() => Promise.reject(new LatchkeyError('channel_closed', 'Gone')))
    const closed = frame.closed(handle, patient)
    frame.end(handle, { code: 'share_mismatch' })
    await closed
    expect(isOpen()).toBe(false)
  })

  test('is harmless for an unknown window', () => {
    const { frame } = setUp()
    expect(() => frame.end(handle)).not.toThrow()
    expect(() => frame.end(handle, { code: 'share_mismatch' })).not.toThrow()
  })
})
