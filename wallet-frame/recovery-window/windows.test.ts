/** The frame's side of the recovery window: what it receives, and what it sends. */
import { LatchkeyError } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { createOpenedPages, type OpenedPagesPorts } from '../pages/handshake/opened-pages.ts'
import { openedPageFacts } from '../pages/testing/opened-page.facts.ts'
import { testWindows } from '../testing/windows.ts'
import { createRecoveryWindows, type RecoveryWindowPorts } from './windows.ts'

const appId = 'a'.repeat(25)
const path = `/apps/${appId}/recovery`
const handle = 'h'.repeat(43)
const address = '0x52908400098527886E0F7030069857D2E4169EE7'
const digest = `0x${'d1'.repeat(32)}`
const patient = new AbortController().signal
const to = { vaultKey: 'k'.repeat(87), operation: { id: 'op_1', step: 1 } }
const password = { v: 1, enc: 'AA', ct: 'AA' } as const
const asked = { window: handle, method: 'user-passcode', purpose: 'recover', address } as const

function setUp() {
  const windows = testWindows()
  const signed: unknown[] = []
  const asked: unknown[] = []
  const frame = createRecoveryWindows({
    appId,
    publicApi: (async (route: { path: string }, _caller: object, body: object) => {
      asked.push([route.path, body])
      return { url: 'https://cloud.example/sign-in', origin: 'https://apple.example' }
    }) as unknown as RecoveryWindowPorts['publicApi'],
    opened: createOpenedPages({
      ...windows.own,
      openChannel: windows.channel as unknown as OpenedPagesPorts['openChannel'],
    }),
    origin: windows.own.origin,
    vault: {
      async call(name: string, input: unknown) {
        signed.push([name, input])
        return { statement: 'signed' }
      },
    } as unknown as RecoveryWindowPorts['vault'],
  })
  const open = (sealed: () => Promise<object> = async () => ({ password })) =>
    windows.meet(handle, path, sealed)
  return { frame, open, signed, asked, windows }
}

describe('the recovery page', () => {
  openedPageFacts({
    path: 'recovery',
    create(side) {
      const nobody = () => expect.unreachable()
      const windows = createRecoveryWindows({
        ...side,
        publicApi: nobody as unknown as RecoveryWindowPorts['publicApi'],
        vault: { call: nobody } as unknown as RecoveryWindowPorts['vault'],
      })
      return {
        wait: (window) => void windows.ask({ ...asked, window }, patient).catch(() => {}),
        end: windows.end,
      }
    },
  })
})

describe('a recovery window', () => {
  test('receives the request, and returns its input sealed to the vault that needs it', async () => {
    const { frame, open, windows } = setUp()
    const given = frame.ask(asked, patient)
    const window = await open()
    expect(await window.frame.begin({})).toStrictEqual({
      method: 'user-passcode',
      purpose: 'recover',
      address,
    })
    const answered = window.give()
    expect(await given).toEqual({})
    expect(await frame.sealed(handle, to, patient)).toStrictEqual({ recoveryPassword: password })
    expect(windows.calls).toEqual([['seal', to, { signal: patient }]])
    frame.done(handle)
    expect(await answered).toEqual({ type: 'done' })
    await expect(frame.sealed(handle, to, patient)).rejects.toMatchObject({ code: 'not_found' })
  })

  test('for a passkey receives its options, and returns its assertion and sealed secret', async () => {
    const { frame, open } = setUp()
    const passkey = { options: { challenge: 'new' }, salt: 'AA' }
    frame.ask({ ...asked, method: 'passkey', passkey }, patient).catch(() => {})
    const secret = { secret: password, authenticatorResponse: {} }
    const window = await open(async () => ({ passkey: secret }))
    expect(await window.frame.begin({})).toEqual({ method: 'passkey', purpose: 'recover', address, passkey })
    expect(await frame.sealed(handle, to, patient)).toStrictEqual({ recoveryPasskey: secret })
  })

  test('receives a new request, and the previous caller is rejected', async () => {
    const { frame, open } = setUp()
    const first = frame.ask(asked, patient)
    const window = await open()
    const second = frame.ask({ ...asked, purpose: 'set' }, patient)
    await expect(first).rejects.toMatchObject({ code: 'user_rejected_request' })
    expect(await window.frame.begin({})).toMatchObject({ purpose: 'set' })
    window.give({ newPasskey: { id: 'credential' } }).catch(() => {})
    expect(await second).toEqual({ newPasskey: { id: 'credential' } })
    expect(window.isOpen()).toBe(true)
  })

  test('receives a general error without a known reason, and is closed if it has submitted nothing since', async () => {
    const { frame, open } = setUp()
    const first = frame.ask(asked, patient)
    const window = await open()
    const answered = window.give()
    await first
    const second = frame.ask(asked, patient)
    expect(await answered).toStrictEqual({ type: 'again', problem: { code: 'error' } })
    frame.end(handle)
    await expect(second).rejects.toMatchObject({ code: 'user_rejected_request' })
    expect(window.isOpen()).toBe(false)
    await expect(frame.sealed(handle, to, patient)).rejects.toMatchObject({ code: 'not_found' })
  })

  test('receives a user rejection if it is ended without another reason', async () => {
    const { frame, open } = setUp()
    const given = frame.ask(asked, patient)
    const answered = (await open()).give()
    await given
    frame.end(handle)
    expect(await answered).toEqual({ type: 'over', problem: { code: 'user_rejected_request' } })
  })

  test('that never existed can be ended and completed without harm', () => {
    const { frame } = setUp()
    expect(() => frame.end(handle)).not.toThrow()
    expect(() => frame.done(handle)).not.toThrow()
  })

  test.each(['channel_closed', 'frame_reloaded', 'frame_unresponsive'] as const)(
    'that is gone (%s) when a vault needs its input counts as a user rejection',
    async (code) => {
      const { frame, open } = setUp()
      frame.ask(asked, patient).catch(() => {})
      await open(async () => {
        throw new LatchkeyError(code, 'Gone')
      })
      await expect(frame.sealed(handle, to, patient)).rejects.toMatchObject({ code: 'user_rejected_request' })
    },
  )

  test.each([
    ['another code', new LatchkeyError('invalid_data', 'Not that')],
    ['a code that is not ours', Object.assign(new Error('Not ours'), { code: 'channel_closed' })],
  ])('passes on an error with %s', async (_name, error) => {
    const { frame, open } = setUp()
    frame.ask(asked, patient).catch(() => {})
    await open(async () => {
      throw error
    })
    await expect(frame.sealed(handle, to, patient)).rejects.toBe(error)
  })

  test('is asked again if its input did not work, with the reason', async () => {
    const { frame, open } = setUp()
    const first = frame.ask(asked, patient)
    const window = await open()
    const answered = window.give()
    await first
    const passkey = { options: { challenge: 'new' }, salt: 'AA' }
    const second = frame.ask({ ...asked, problem: { code: 'invalid_recovery_pin' }, passkey }, patient)
    expect(await answered).toEqual({ type: 'again', problem: { code: 'invalid_recovery_pin' }, passkey })
    const last = window.give()
    expect(await second).toEqual({})
    frame.end(handle, { code: 'confirmation_expired' })
    expect(await last).toEqual({ type: 'over', problem: { code: 'confirmation_expired' } })
  })

  test('that creates a passkey names it, so that the server can register it', async () => {
    const { frame, open } = setUp()
    const given = frame.ask({ ...asked, method: 'passkey', purpose: 'set' }, patient)
    const window = await open()
    window.give({ newPasskey: { id: 'credential' } }).catch(() => {})
    expect(await given).toEqual({ newPasskey: { id: 'credential' } })
  })

  test('cannot submit if no caller waits', async () => {
    const { frame, open } = setUp()
    const given = frame.ask(asked, patient)
    const window = await open()
    window.give().catch(() => {})
    await given
    expect(() => window.frame.give({})).toThrow(expect.objectContaining({ code: 'not_found' }))
  })

  test('that is closed counts as a user rejection', async () => {
    const { frame, open } = setUp()
    const given = frame.ask(asked, patient)
    const window = await open()
    window.close()
    await expect(given).rejects.toMatchObject({ code: 'user_rejected_request' })
    expect(window.isOpen()).toBe(false)
    await expect(frame.sealed(handle, to, patient)).rejects.toMatchObject({ code: 'not_found' })
  })

  test('is disconnected when its caller aborts', async () => {
    const { frame, open } = setUp()
    const caller = new AbortController()
    const given = frame.ask(asked, caller.signal)
    const window = await open()
    caller.abort(new LatchkeyError('call_cancelled', 'Gone'))
    await expect(given).rejects.toMatchObject({ code: 'call_cancelled' })
    expect(window.isOpen()).toBe(false)
  })

  test('has the vault sign the approval of its user, under the requested digest', async () => {
    const { frame, open, signed, windows } = setUp()
    const given = frame.ask({ ...asked, purpose: 'set' }, patient)
    const window = await open()
    window.give().catch(() => {})
    await given
    const confirmed = { window: handle, userId: 'user_1', handle: 'c'.repeat(43), digest }
    expect(await frame.confirm(confirmed, patient)).toEqual({ statement: 'signed' })
    expect(window.confirmed).toEqual([digest])
    expect(windows.calls).toEqual([['confirm', { digest }, { signal: patient }]])
    expect(signed).toEqual([['approve', { appId, userId: 'user_1', handle: 'c'.repeat(43), digest }]])
  })

  test("has nothing signed without its user's approval, or without a window", async () => {
    const { frame, windows, signed } = setUp()
    const confirmed = { window: handle, userId: 'user_1', handle: 'c'.repeat(43), digest }
    await expect(frame.confirm(confirmed, patient)).rejects.toMatchObject({ code: 'not_found' })
    const given = frame.ask({ ...asked, purpose: 'set' }, patient)
    windows.refuses = new LatchkeyError('channel_closed', 'The window is gone')
    const window = await windows.meet(handle, path, async () => ({}))
    window.give().catch(() => {})
    await given
    await expect(frame.confirm(confirmed, patient)).rejects.toMatchObject({ code: 'user_rejected_request' })
    expect(signed).toEqual([])
  })
})

describe('a recovery window for a cloud', () => {
  const patience = { signal: patient }
  const holding = { codeChallenge: 'c'.repeat(43), stateCode: 's'.repeat(43) }
  const inCloud = (method: 'google-drive' | 'icloud') => ({ ...asked, method })

  test('receives the sign-in URL of the server, which returns to this origin', async () => {
    const { frame, open, asked: calls, windows } = setUp()
    void frame.ask(inCloud('google-drive'), patient)
    const window = await open()
    expect(await window.frame.address(holding, patience)).toEqual({
      url: 'https://cloud.example/sign-in',
      origin: null,
    })
    const redirectTo = `${windows.own.origin}/recovery/callback/google-drive`
    expect(calls).toEqual([['/recovery/oauth/init', { redirectTo, ...holding }]])
  })

  test("receives the origin that posts iCloud's result, and sends none of its secrets to the server", async () => {
    const { frame, open, asked: calls } = setUp()
    void frame.ask(inCloud('icloud'), patient)
    const window = await open()
    expect(await window.frame.address(holding, patience)).toMatchObject({ origin: 'https://apple.example' })
    expect(calls).toEqual([['/recovery/oauth/init_icloud', { clientType: 'web' }]])
  })

  test('has no URL for a method without a cloud', async () => {
    const { frame, open, asked: calls } = setUp()
    void frame.ask(asked, patient)
    const window = await open()
    await expect(window.frame.address(holding, patience)).rejects.toMatchObject({
      code: 'invalid_request_arguments',
    })
    expect(calls).toEqual([])
  })

  test("returns the cloud's result to the frame, and notifies the dialog", async () => {
    const { frame, windows } = setUp()
    const given = frame.ask(inCloud('icloud'), patient)
    const said = { method: 'icloud', session: 'session-1' }
    const window = await windows.meet(handle, path, async () => said)
    window.give().catch(() => {})
    expect(await given).toEqual({})
    expect(await frame.fromCloud(handle, patient)).toEqual({ recoveryCloud: said })
  })

  test('reports the error code of a failed sign-in to the dialog', async () => {
    const { frame, open } = setUp()
    const given = frame.ask(inCloud('google-drive'), patient)
    const window = await open()
    window.frame.refuse({ code: 'oauth_user_denied' })
    await expect(given).rejects.toMatchObject({ code: 'oauth_user_denied' })
  })
})

describe('the calls to a recovery window', () => {
  const holding = { codeChallenge: 'c'.repeat(43), stateCode: 's'.repeat(43) }

  test('abort with their callers', async () => {
    const windows = testWindows()
    const endings: AbortSignal[] = []
    const frame = createRecoveryWindows({
      appId,
      publicApi: (async (_route: unknown, { signal }: { signal: AbortSignal }) => {
        endings.push(signal)
        return { url: 'https://cloud.example/sign-in', origin: null }
      }) as unknown as RecoveryWindowPorts['publicApi'],
      opened: createOpenedPages({
        ...windows.own,
        openChannel: windows.channel as unknown as OpenedPagesPorts['openChannel'],
      }),
      origin: windows.own.origin,
      vault: { call: () => expect.unreachable() } as unknown as RecoveryWindowPorts['vault'],
    })
    frame.ask({ ...asked, method: 'google-drive' }, patient).catch(() => {})
    const window = await windows.meet(handle, path, async () => ({ method: 'icloud', session: 'session-1' }))
    const [google, icloud] = [new AbortController(), new AbortController()]
    await window.frame.address(holding, google)
    frame.ask({ ...asked, method: 'icloud' }, patient).catch(() => {})
    await window.frame.address(holding, icloud)
    expect([endings[0] === google.signal, endings[1] === icloud.signal]).toEqual([true, true])
    await frame.fromCloud(handle, patient)
    expect(windows.calls.at(-1)).toEqual(['fromCloud', {}, { signal: patient }])
  })

  test('have no cloud URL for a passkey', async () => {
    const { frame, open, asked: calls } = setUp()
    const passkey = { options: { challenge: 'new' }, salt: 'AA' }
    frame.ask({ ...asked, method: 'passkey', passkey }, patient).catch(() => {})
    const window = await open()
    await expect(window.frame.address(holding, { signal: patient })).rejects.toMatchObject({
      code: 'invalid_request_arguments',
    })
    expect(calls).toEqual([])
  })
})
