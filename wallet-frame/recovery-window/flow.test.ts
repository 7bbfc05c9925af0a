/** The recovery window from start to end, with a fake frame and authenticator. */
import { LatchkeyError } from '@latchkey/protocol'
import { toAccountActionText } from '@latchkey/protocol/wallet'
import { describe, expect, test } from 'vitest'
import { testClock } from '../testing/clock.ts'
import { generateVaultKey } from '../vault/shares/sealing.ts'
import type { CloudBrowser, StartSignIn } from './cloud-window.ts'
import type { Outcome, RecoveryRequest } from './contract.ts'
import { createWindowFlow, type WindowState } from './flow.ts'
import type { Authenticator, CreatedPasskey } from './passkey.ts'

const address = '0x52908400098527886E0F7030069857D2E4169EE7'
const recovering: RecoveryRequest = { method: 'user-passcode', purpose: 'recover', address }
const setting: RecoveryRequest = { method: 'user-passcode', purpose: 'set', address }
const making: RecoveryRequest = { method: 'user-passcode', purpose: 'set', address: null }
const passkeyToAsk = { options: { challenge: 'c' }, salt: 'AA' }
const operation = { id: 'op_1', step: 1 }

const apple = 'https://cdn.apple-cloudkit.com'

/** A browser with fake windows and channels. */
function fakeCloud() {
  type Hear = Parameters<CloudBrowser['listen']>[0]
  const windows: { closed: boolean; address: string; close: () => void }[] = []
  const hearing = new Set<Hear>()
  const channels = new Set<ReturnType<CloudBrowser['channel']>>()
  const answered: unknown[] = []
  const held: Parameters<StartSignIn>[0][] = []
  let secrets = 0
  const cloud = {
    windows,
    answered,
    held,
    refused: [] as string[],
    isBlocked: false,
    address: (async (holding) => {
      held.push(holding)
      return { url: 'https://cloud.example/sign-in', origin: apple }
    }) as StartSignIn,
    browser: {
      open(address: string) {
        if (cloud.isBlocked) return null
        const window = {
          address,
          closed: false,
          close: () => {
            window.closed = true
          },
        }
        windows.push(window)
        return window
      },
      listen(hear: Hear, signal: AbortSignal) {
        hearing.add(hear)
        signal.addEventListener('abort', () => hearing.delete(hear))
      },
      channel() {
        const channel: ReturnType<CloudBrowser['channel']> = {
          onmessage: null,
          postMessage: (message) => void answered.push(message),
          close: () => void channels.delete(channel),
        }
        channels.add(channel)
        return channel
      },
      secret: () => String(++secrets).padStart(43, 's'),
    },
    /** Sends the message of the page at Google's redirect URL. */
    comeBack(said: { state: string; code?: string; error?: string }) {
      const data = { type: 'answer', code: '', error: '', ...said }
      for (const channel of channels) {
        channel.onmessage?.call(channel as BroadcastChannel, { data } as MessageEvent)
      }
    },
    /** Sends the message of Apple's page to its opener. */
    say(data: unknown, { origin = apple, source = windows.at(-1) as unknown } = {}) {
      for (const hear of hearing) hear({ data, origin, source: source as Window })
    },
    isReceived: () => hearing.size + channels.size > 0,
  }
  return cloud
}

const secretOf = (text: string) =>
  crypto.subtle.importKey('raw', new TextEncoder().encode(text), 'HKDF', false, ['deriveBits'])

function setUp(asked: RecoveryRequest | Error, change: Partial<Authenticator> = {}, cloud = fakeCloud()) {
  const clock = testClock()
  const seen: WindowState[] = []
  const gave: {
    given: object
    answer: (outcome: Outcome) => void
    fail: (error: Error) => void
  }[] = []
  let isClosed = false
  let isGone = false
  const created: CreatedPasskey = {
    credentialId: 'Y3JlZA',
    transports: ['internal'],
    attestation: { id: 'Y3JlZA' },
    isAble: true,
    secret: undefined,
    salt: 'c2FsdA',
  }
  const calls: string[] = []
  const authenticator: Authenticator = {
    async create() {
      calls.push('create')
      return { ...created, secret: await secretOf('secret') }
    },
    async get(options, salt) {
      calls.push(`get ${salt}`)
      expect(options).toBeTruthy()
      return { assertion: { id: 'Y3JlZA' }, secret: await secretOf('secret') }
    },
    ...change,
  }
  const flow = createWindowFlow({
    clock,
    hostname: 'wallet.example',
    authenticator,
    browser: { ...cloud.browser, clock },
    async findFrame(signal) {
      if (asked instanceof Error) {
        return new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason))
        })
      }
      return {
        begin: async () => asked,
        address: cloud.address,
        refuse: async (code) => void cloud.refused.push(code),
        isGone: () => isGone,
        give: (given) =>
          new Promise((resolve, reject) => gave.push({ given, answer: resolve, fail: reject })),
      }
    },
    show: (state) => seen.push(state),
    closeWindow: () => {
      isClosed = true
    },
  })
  const last = () => seen.at(-1)
  /** Resolves when the window shows or sends something new. */
  async function settled() {
    const before = seen.length + gave.length
    const endMs = Date.now() + 10_000
    while (seen.length + gave.length === before) {
      if (Date.now() > endMs) throw new Error(`Nothing came after ${last()?.status}`)
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  const goAway = () => {
    isGone = true
  }
  return { flow, clock, seen, last, gave, calls, created, settled, goAway, isClosed: () => isClosed }
}

const digestOf = async (method: RecoveryRequest['method'], of = address) => {
  const text = toAccountActionText({ method: 'set-recovery', params: [of, method] })
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return `0x${Buffer.from(hash).toString('hex')}`
}

describe('a password for a recovery', () => {
  test('is asked for, submitted, and sealed to the vault that requests it', async () => {
    const { flow, last, gave, clock, settled, isClosed } = setUp(recovering)
    await flow.start()
    expect(last()).toEqual({ status: 'password', purpose: 'recover' })
    flow.enter('correct horse')
    expect(last()).toEqual({ status: 'working' })
    expect(gave).toHaveLength(1)
    const key = await generateVaultKey()
    const { password, passkey } = await flow.seal({ vaultKey: key.publicKey, operation })
    expect(passkey).toBeUndefined()
    const opened = password && (await key.openPassword(password, operation))
    expect(Buffer.from(opened ?? []).toString()).toBe('correct horse')
    gave[0]?.answer({ type: 'done' })
    await settled()
    expect(last()).toEqual({ status: 'done', method: 'user-passcode', purpose: 'recover' })
    // The input is deleted with the window.
    await expect(flow.seal({ vaultKey: key.publicKey, operation })).rejects.toMatchObject({
      code: 'not_found',
    })
    clock.advance(1_399)
    expect(isClosed()).toBe(false)
    clock.advance(1)
    expect(isClosed()).toBe(true)
  })

  test('is normalized, however its letters are composed', async () => {
    const { flow } = setUp(recovering)
    await flow.start()
    flow.enter('cafe\u0301')
    const key = await generateVaultKey()
    const { password } = await flow.seal({ vaultKey: key.publicKey, operation })
    const opened = password && (await key.openPassword(password, operation))
    expect(Buffer.from(opened ?? []).toString()).toBe('caf\u00e9')
  })

  test('is asked for again after a wrong one, with the waiting time if there is one', async () => {
    const { flow, last, gave, settled } = setUp(recovering)
    await flow.start()
    flow.enter('wrong')
    gave[0]?.answer({ type: 'again', problem: { code: 'invalid_recovery_pin' } })
    await settled()
    expect(last()).toMatchObject({ status: 'password', problem: { code: 'invalid_recovery_pin' } })
    flow.enter('wrong')
    gave[1]?.answer({ type: 'again', problem: { code: 'too_many_requests', retryAfterSeconds: 241 } })
    await settled()
    expect(last()).toMatchObject({ problem: { code: 'too_many_requests', minutes: 5 } })
  })
})

describe('a new password', () => {
  test('for a wallet creation is set by the last button', async () => {
    const { flow, last, gave } = setUp(making)
    await flow.start()
    expect(last()).toEqual({ status: 'wizard', purpose: 'set', step: { type: 'creating', password: '' } })
    for (const at of ['saving', 'confirming'] as const) {
      flow.go(at, 'correct horse')
      expect(last()).toMatchObject({ status: 'wizard', step: { type: at, password: 'correct horse' } })
    }
    flow.go('finalizing', 'correct horse')
    expect(last()).toMatchObject({ step: { type: 'finalizing', isGated: false, confirm: null } })
    flow.understand()
    expect(gave).toEqual([])
    flow.approve()
    expect(last()).toEqual({ status: 'working' })
    expect(gave).toHaveLength(1)
  })

  test('for an existing wallet is submitted before it is approved', async () => {
    const { flow, last, gave, settled } = setUp(setting)
    await flow.start()
    flow.go('finalizing', 'correct horse')
    expect(last()).toMatchObject({ step: { type: 'finalizing', isGated: true, confirm: null } })
    // The frame has not asked for the approval yet.
    flow.approve()
    expect(gave).toEqual([])
    flow.understand()
    expect(gave).toHaveLength(1)
    const confirmed = flow.confirm({ digest: await digestOf('user-passcode') })
    await settled()
    expect(last()).toMatchObject({ step: { type: 'finalizing', confirm: { address } } })
    flow.approve()
    expect(await confirmed).toEqual({})
    expect(last()).toEqual({ status: 'working' })
    gave[0]?.answer({ type: 'over', problem: { code: 'confirmation_expired' } })
    await settled()
    expect(last()).toEqual({
      status: 'over',
      method: 'user-passcode',
      problem: { code: 'confirmation_expired' },
    })
  })

  test.each([
    ['another wallet', () => digestOf('user-passcode', '0x0000000000000000000000000000000000000001')],
    ['another method', () => digestOf('passkey')],
    ['nothing of this', async () => `0x${'0'.repeat(64)}`],
  ])('is not approved for a digest of %s', async (_what, digest) => {
    const { flow, last } = setUp(setting)
    await flow.start()
    flow.go('finalizing', 'correct horse')
    flow.understand()
    await expect(flow.confirm({ digest: await digest() })).rejects.toMatchObject({ code: 'invalid_data' })
    expect(last()).toMatchObject({ step: { confirm: null } })
  })

  test('for a recovery approves nothing', async () => {
    const { flow, last } = setUp(recovering)
    await flow.start()
    flow.enter('correct horse')
    const digest = await digestOf('user-passcode')
    await expect(flow.confirm({ digest })).rejects.toMatchObject({ code: 'invalid_data' })
    expect(last()).toEqual({ status: 'working' })
  })

  test('is not approved after the frame has gone', async () => {
    const { flow, last, settled } = setUp(setting)
    await flow.start()
    flow.go('finalizing', 'correct horse')
    flow.understand()
    const confirmed = flow.confirm({ digest: await digestOf('user-passcode') })
    await settled()
    flow.lose()
    await expect(confirmed).rejects.toMatchObject({ code: 'user_rejected_request' })
    expect(last()).toEqual({ status: 'alone' })
  })
})

describe('a passkey', () => {
  test('for a recovery sends its assertion to the server, and its secret sealed', async () => {
    const { flow, last, gave, calls, settled } = setUp({
      method: 'passkey',
      purpose: 'recover',
      address,
      passkey: passkeyToAsk,
    })
    await flow.start()
    expect(last()).toEqual({ status: 'passkey', purpose: 'recover', isCreated: false })
    flow.askPasskey()
    expect(last()).toEqual({ status: 'prompt' })
    await settled()
    expect(calls).toEqual(['get AA'])
    expect(gave[0]?.given).toEqual({})
    const key = await generateVaultKey()
    const { passkey } = await flow.seal({ vaultKey: key.publicKey, operation })
    expect(passkey).toMatchObject({ authenticatorResponse: { id: 'Y3JlZA' } })
    expect(passkey && (await key.openPasskey(passkey.secret, operation))).toHaveLength(32)
  })

  test('that is new is registered once, prompted again if it returned no secret, and approved', async () => {
    const { flow, last, gave, calls, created, settled } = setUp(
      { method: 'passkey', purpose: 'set', address, passkey: passkeyToAsk },
      { create: async () => ({ ...created, secret: undefined }) },
    )
    await flow.start()
    flow.askPasskey()
    await settled()
    // Its own salt, which no other party has named.
    expect(calls).toEqual(['get c2FsdA'])
    expect(gave[0]?.given).toEqual({ newPasskey: { id: 'Y3JlZA' } })
    const confirmed = flow.confirm({ digest: await digestOf('passkey') })
    await settled()
    expect(last()).toEqual({ status: 'approve', method: 'passkey', confirm: { address } })
    flow.approve()
    expect(await confirmed).toEqual({})
    gave[0]?.answer({ type: 'again', problem: { code: 'error' } })
    await settled()
    // It still exists and is not registered again.
    expect(last()).toMatchObject({ status: 'passkey', isCreated: true, problem: { code: 'error' } })
    flow.askPasskey()
    await settled()
    expect(gave[1]?.given).toEqual({})
    const key = await generateVaultKey()
    expect((await flow.seal({ vaultKey: key.publicKey, operation })).passkey).toMatchObject({
      credentialId: 'Y3JlZA',
    })
  })

  test('that the server has forgotten meanwhile is created again', async () => {
    const { flow, clock, gave, calls, settled } = setUp({
      method: 'passkey',
      purpose: 'set',
      address: null,
      passkey: passkeyToAsk,
    })
    await flow.start()
    flow.askPasskey()
    await settled()
    gave[0]?.answer({ type: 'again', problem: { code: 'error' } })
    await settled()
    clock.advance(30 * 60 * 1_000)
    flow.askPasskey()
    await settled()
    expect(calls).toEqual(['create', 'create'])
    expect(gave[1]?.given).toEqual({ newPasskey: { id: 'Y3JlZA' } })
  })

  test.each([
    ['is refused', true, 'passkey_not_allowed'],
    ['gives nothing', false, 'not_supported'],
  ])('that %s can be used again', async (_what, isRefused, code) => {
    const refusal = new LatchkeyError('passkey_not_allowed', 'It was not given')
    const { flow, last, gave, settled } = setUp(
      { method: 'passkey', purpose: 'recover', address, passkey: passkeyToAsk },
      {
        get: () =>
          isRefused ? Promise.reject(refusal) : Promise.resolve({ assertion: {}, secret: undefined }),
      },
    )
    await flow.start()
    flow.askPasskey()
    await settled()
    expect(last()).toMatchObject({ status: 'passkey', problem: { code } })
    expect(gave).toEqual([])
  })
})

describe('a recovery window', () => {
  test('without a wallet frame reports it after fifteen seconds', async () => {
    const { flow, last, clock } = setUp(new Error('Nobody'))
    const started = flow.start()
    expect(last()).toEqual({ status: 'opening' })
    clock.advance(14_999)
    expect(last()).toEqual({ status: 'opening' })
    clock.advance(1)
    await started
    expect(last()).toEqual({ status: 'alone' })
  })

  test('reports within a second that its frame has gone, and sends nothing more', async () => {
    const { flow, last, gave, clock, goAway } = setUp(recovering)
    await flow.start()
    clock.advance(5_000)
    expect(last()).toMatchObject({ status: 'password' })
    goAway()
    clock.advance(1_000)
    expect(last()).toEqual({ status: 'alone' })
    flow.enter('late')
    expect(gave).toEqual([])
    expect(clock.timers()).toBe(0)
  })

  test('that has ended shows and sends nothing more', async () => {
    const { flow, last, gave } = setUp(recovering)
    await flow.start()
    flow.lose()
    flow.enter('late')
    expect(gave).toEqual([])
    flow.lose()
    flow.go('creating', 'late')
    flow.approve()
    expect(last()).toEqual({ status: 'alone' })
  })
})

describe('a cloud sign-in', () => {
  const inCloud = (
    method: 'google-drive' | 'icloud',
    change: Partial<RecoveryRequest> = {},
  ): RecoveryRequest => ({
    method,
    purpose: 'recover',
    address,
    ...change,
  })

  async function opened(asked: RecoveryRequest) {
    const cloud = fakeCloud()
    const fixture = setUp(asked, {}, cloud)
    await fixture.flow.start()
    while (fixture.last()?.status !== 'cloud' || Reflect.get(fixture.last() ?? {}, 'step') === 'preparing') {
      await fixture.settled()
    }
    return { ...fixture, cloud }
  }
  async function turns() {
    for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  }

  test("opens in the press after its URL is known, and accepts Google's answer with the state of this window", async () => {
    const { flow, last, cloud, gave } = await opened(inCloud('google-drive'))
    expect(last()).toEqual({
      status: 'cloud',
      cloud: 'google-drive',
      purpose: 'recover',
      step: 'asking',
    })
    expect(cloud.windows).toEqual([])
    flow.openCloud()
    expect(cloud.windows.map(({ address: at }) => at)).toEqual(['https://cloud.example/sign-in'])
    const [held] = cloud.held
    cloud.comeBack({ state: 'of another window', code: 'stolen' })
    await turns()
    expect([gave, cloud.answered]).toEqual([[], []])
    cloud.comeBack({ state: held?.stateCode ?? '', code: 'code-1' })
    await expect.poll(() => gave.length).toBe(1)
    expect(cloud.answered).toEqual([{ type: 'heard', state: held?.stateCode }])
    expect(gave.map(({ given }) => given)).toEqual([{}])
    expect(cloud.windows[0]?.closed).toBe(true)
    expect(cloud.isReceived()).toBe(false)
    const said = await flow.fromCloud()
    expect(said).toMatchObject({
      method: 'google-drive',
      code: { authorizationCode: 'code-1', stateCode: held?.stateCode },
    })
    const verifier = said.method === 'google-drive' ? said.code.codeVerifier : ''
    const hashed = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
    expect(held?.codeChallenge).toBe(Buffer.from(hashed).toString('base64url'))
  })

  test("for iCloud accepts only the message of Apple's page in the opened window", async () => {
    const { flow, cloud, gave } = await opened(inCloud('icloud'))
    flow.openCloud()
    cloud.say({ ckSession: 'stolen' }, { origin: 'https://stranger.example' })
    cloud.say({ ckSession: 'stolen' }, { source: {} })
    cloud.say({ ckSession: '' })
    await turns()
    expect(gave).toEqual([])
    cloud.say({ ckSession: 'session-1' })
    await expect.poll(() => gave.length).toBe(1)
    expect(await flow.fromCloud()).toEqual({ method: 'icloud', session: 'session-1' })
    await expect(
      flow.seal({ vaultKey: (await generateVaultKey()).publicKey, operation }),
    ).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  test.each([
    ['access_denied', 'oauth_user_denied'],
    ['server_error', 'oauth_unexpected'],
  ])('that fails with %s ends without a result, and the card receives %s', async (error, code) => {
    const { flow, cloud, last, gave, clock, isClosed } = await opened(inCloud('google-drive'))
    flow.openCloud()
    cloud.comeBack({ state: cloud.held[0]?.stateCode ?? '', error })
    await expect.poll(() => cloud.refused).toEqual([code])
    await expect.poll(last).toMatchObject({ status: 'over' })
    expect(gave).toEqual([])
    await clock.advance(1_400)
    expect(isClosed()).toBe(true)
  })

  test('without an answer times out after two minutes', async () => {
    const { flow, cloud, clock } = await opened(inCloud('icloud'))
    flow.openCloud()
    await clock.advance(119_000)
    expect(cloud.refused).toEqual([])
    await clock.advance(1_000)
    await expect.poll(() => cloud.refused).toEqual(['client_request_timeout'])
  })

  test('can be reopened by another press if its window is blocked or reads as closed', async () => {
    const { flow, cloud, last, clock, gave } = await opened(inCloud('icloud'))
    cloud.isBlocked = true
    flow.openCloud()
    expect(last()).toMatchObject({ step: 'blocked' })
    cloud.isBlocked = false
    flow.openCloud()
    expect(last()).toMatchObject({ step: 'open' })
    cloud.windows[0]?.close()
    await clock.advance(300)
    expect(last()).toMatchObject({ step: 'closed' })
    flow.openCloud()
    expect(cloud.windows).toHaveLength(2)
    cloud.say({ ckSession: 'session-2' })
    await expect.poll(() => gave.length).toBe(1)
  })

  test("sets the recovery of an existing wallet only after the user's approval", async () => {
    const { flow, cloud, gave, last } = await opened(inCloud('icloud', { purpose: 'set' }))
    const digest = await digestOf('icloud')
    await expect(flow.confirm({ digest })).rejects.toMatchObject({ code: 'invalid_data' })
    flow.openCloud()
    cloud.say({ ckSession: 'session-1' })
    await expect.poll(() => gave.length).toBe(1)
    let isConfirmed = false
    void flow.confirm({ digest }).then(() => {
      isConfirmed = true
    })
    await expect.poll(last).toEqual({ status: 'approve', method: 'icloud', confirm: { address } })
    expect(isConfirmed).toBe(false)
    flow.approve()
    await expect.poll(() => isConfirmed).toBe(true)
  })

  test('cannot open before its URL is known', async () => {
    const cloud = fakeCloud()
    const address = Promise.withResolvers<Awaited<ReturnType<StartSignIn>>>()
    cloud.address = () => address.promise
    const { flow, last } = setUp(inCloud('icloud'), {}, cloud)
    await flow.start()
    await turns()
    expect(last()).toEqual({ status: 'cloud', cloud: 'icloud', purpose: 'recover', step: 'preparing' })
    flow.openCloud()
    expect(cloud.windows).toEqual([])
    address.resolve({ url: 'https://cloud.example/sign-in', origin: apple })
    await turns()
    expect(last()).toMatchObject({ step: 'asking' })
    flow.openCloud()
    expect(cloud.windows).toHaveLength(1)
  })

  test.each([
    ['a code that clouds have not', new LatchkeyError('server_unreachable', 'No'), 'oauth_unexpected'],
    ['no code', new Error('No'), 'oauth_unexpected'],
    ['one of theirs', new LatchkeyError('client_request_timeout', 'Late'), 'client_request_timeout'],
  ])(
    'without a URL, because of %s, ends without a result, and the card learns of it',
    async (_what, error, code) => {
      const cloud = fakeCloud()
      cloud.address = () => Promise.reject(error)
      const { flow, last, clock, isClosed } = setUp(inCloud('icloud'), {}, cloud)
      await flow.start()
      await turns()
      expect(cloud.refused).toEqual([code])
      expect(last()).toEqual({ status: 'over', method: 'icloud', problem: { code } })
      flow.openCloud()
      expect(cloud.windows).toEqual([])
      clock.advance(1_399)
      expect(isClosed()).toBe(false)
      clock.advance(1)
      expect(isClosed()).toBe(true)
    },
  )

  test.each([
    ['is known', () => Promise.resolve({ url: 'https://cloud.example/sign-in', origin: apple })],
    ['is refused', () => Promise.reject(new LatchkeyError('client_request_timeout', 'Late'))],
  ])('ignores that its URL %s after the window has ended', async (_what, answer) => {
    const cloud = fakeCloud()
    const asking = Promise.withResolvers<void>()
    cloud.address = () => asking.promise.then(answer)
    const { flow, last, clock, isClosed } = setUp(inCloud('icloud'), {}, cloud)
    await flow.start()
    flow.lose()
    asking.resolve()
    await turns()
    clock.advance(1_400)
    expect([last(), cloud.refused, isClosed()]).toEqual([{ status: 'alone' }, [], false])
  })

  test('stays open until its window is closed, and does not reopen while the file is fetched', async () => {
    const { flow, cloud, last, clock, gave } = await opened(inCloud('icloud'))
    const open = { status: 'cloud', cloud: 'icloud', purpose: 'recover', step: 'open' }
    flow.openCloud()
    clock.advance(300)
    expect(last()).toEqual(open)
    cloud.windows[0]?.close()
    clock.advance(300)
    expect(last()).toEqual({ ...open, step: 'closed' })
    cloud.say({ ckSession: 'session-1' })
    await turns()
    expect(last()).toEqual({ status: 'working' })
    flow.openCloud()
    expect([cloud.windows.length, gave.length]).toEqual([1, 1])
  })

  test('that was opened twice uses the second window and closes the first silently', async () => {
    const { flow, cloud, last, clock, gave } = await opened(inCloud('icloud'))
    flow.openCloud()
    flow.openCloud()
    expect(cloud.windows.map(({ closed }) => closed)).toEqual([true, false])
    clock.advance(300)
    expect(last()).toMatchObject({ step: 'open' })
    cloud.say({ ckSession: 'session-1' }, { source: cloud.windows[0] })
    await turns()
    expect(gave).toEqual([])
    cloud.say({ ckSession: 'session-2' })
    await turns()
    expect(await flow.fromCloud()).toEqual({ method: 'icloud', session: 'session-2' })
  })

  test('closes with its recovery window, which cannot reopen it', async () => {
    const { flow, cloud, last, clock, gave } = await opened(inCloud('icloud'))
    flow.openCloud()
    flow.lose()
    expect([cloud.windows[0]?.closed, cloud.isReceived()]).toEqual([true, false])
    clock.advance(300)
    flow.openCloud()
    expect(cloud.windows).toHaveLength(1)
    await turns()
    expect([last(), gave]).toEqual([{ status: 'alone' }, []])
  })

  test('without an answer returns nothing to the frame', async () => {
    const { flow } = await opened(inCloud('icloud'))
    await expect(flow.fromCloud()).rejects.toMatchObject({ code: 'not_found' })
  })

  test('whose file did not recover the wallet closes its window, because the card shows the reason', async () => {
    const { flow, cloud, last, clock, gave, isClosed } = await opened(inCloud('icloud'))
    flow.openCloud()
    cloud.say({ ckSession: 'session-1' })
    await turns()
    gave[0]?.answer({ type: 'over', problem: { code: 'oauth_unexpected' } })
    await turns()
    expect(last()).toEqual({ status: 'over', method: 'icloud', problem: { code: 'oauth_unexpected' } })
    clock.advance(1_399)
    expect(isClosed()).toBe(false)
    clock.advance(1)
    expect(isClosed()).toBe(true)
  })
})

describe('a submitted password', () => {
  async function sealedBy(flow: ReturnType<typeof setUp>['flow']) {
    const key = await generateVaultKey()
    const { password } = await flow.seal({ vaultKey: key.publicKey, operation })
    return Buffer.from((password && (await key.openPassword(password, operation))) ?? []).toString()
  }

  test('is the first one, until it was tried', async () => {
    const { flow, gave } = setUp(recovering)
    await flow.start()
    flow.enter('correct horse')
    flow.enter('another')
    expect(gave.map(({ given }) => given)).toStrictEqual([{}])
    expect(await sealedBy(flow)).toBe('correct horse')
  })

  test('that is new is the last typed one when the last button is pressed', async () => {
    const { flow, gave } = setUp(making)
    await flow.start()
    flow.go('saving', 'correct')
    flow.go('finalizing', 'correct horse')
    flow.approve()
    flow.approve()
    expect(gave).toHaveLength(1)
    expect(await sealedBy(flow)).toBe('correct horse')
  })

  test('for an existing wallet does not change during its approval, even if the user types', async () => {
    const { flow, last, gave } = setUp(setting)
    await flow.start()
    flow.go('finalizing', 'correct horse')
    flow.understand()
    flow.go('creating', 'another')
    flow.understand()
    expect(gave).toHaveLength(1)
    expect(last()).toStrictEqual({
      status: 'wizard',
      purpose: 'set',
      step: { type: 'finalizing', isGated: true, confirm: null },
    })
    expect(await sealedBy(flow)).toBe('correct horse')
  })

  test('that could not be set returns to the last step and needs a new approval', async () => {
    const { flow, last, gave, settled } = setUp(setting)
    await flow.start()
    flow.go('finalizing', 'correct horse')
    flow.understand()
    const digest = await digestOf('user-passcode')
    const confirmed = flow.confirm({ digest })
    await settled()
    flow.approve()
    await confirmed
    gave[0]?.answer({ type: 'again', problem: { code: 'error' } })
    await settled()
    const finalizing = {
      status: 'wizard',
      purpose: 'set',
      step: { type: 'finalizing', isGated: true, confirm: null },
      problem: { code: 'error' },
    }
    expect(last()).toStrictEqual(finalizing)
    // The earlier approval was for the failed attempt.
    flow.approve()
    expect(last()).toStrictEqual(finalizing)
    flow.understand()
    const again = flow.confirm({ digest })
    await settled()
    flow.approve()
    expect(await again).toEqual({})
  })

  test.each([
    [undefined, 1],
    [1, 1],
    [60, 1],
    [61, 2],
  ])(
    'that was tried too often shows the waiting time in whole minutes: after %s s, %s',
    async (retryAfterSeconds, minutes) => {
      const { flow, last, gave, settled } = setUp(recovering)
      await flow.start()
      expect(last()).toStrictEqual({ status: 'password', purpose: 'recover' })
      flow.enter('wrong')
      const code = 'too_many_requests'
      gave[0]?.answer({ type: 'again', problem: { code, ...(retryAfterSeconds && { retryAfterSeconds }) } })
      await settled()
      expect(last()).toStrictEqual({ status: 'password', purpose: 'recover', problem: { code, minutes } })
    },
  )
})

describe('a passkey prompt', () => {
  const bringing: RecoveryRequest = { method: 'passkey', purpose: 'recover', address, passkey: passkeyToAsk }
  const withRecoveryStorage: RecoveryRequest = { ...bringing, purpose: 'set' }
  const again = { type: 'again', problem: { code: 'error' } } as const

  test('appears once, and not again while its result is used', async () => {
    const { flow, seen, gave, calls, settled } = setUp(bringing)
    await flow.start()
    flow.askPasskey()
    while (gave.length === 0) await settled()
    flow.askPasskey()
    expect(calls).toEqual(['get AA'])
    expect(seen.map(({ status }) => status)).toEqual(['opening', 'passkey', 'prompt', 'working'])
  })

  test('does not appear if the server named no passkey', async () => {
    const { flow, seen, calls } = setUp({ method: 'passkey', purpose: 'recover', address })
    await flow.start()
    flow.askPasskey()
    expect([seen.map(({ status }) => status), calls]).toEqual([['opening', 'passkey'], []])
  })

  test('uses the new options of the server on another try', async () => {
    const { flow, gave, calls, settled } = setUp(bringing)
    await flow.start()
    flow.askPasskey()
    while (gave.length === 0) await settled()
    gave[0]?.answer({ ...again, passkey: { options: { challenge: 'c2' }, salt: 'BB' } })
    await settled()
    flow.askPasskey()
    while (gave.length === 1) await settled()
    expect(calls).toEqual(['get AA', 'get BB'])
  })

  test('that fails without an error code is shown as a general failure', async () => {
    const { flow, last, settled } = setUp(bringing, { get: () => Promise.reject(new Error('Broken')) })
    await flow.start()
    flow.askPasskey()
    await settled()
    expect(last()).toStrictEqual({
      status: 'passkey',
      purpose: 'recover',
      isCreated: false,
      problem: { code: 'error' },
    })
  })

  test('creates a passkey once in half an hour, and prompts once for its secret', async () => {
    let created = 0
    const fixture = setUp(withRecoveryStorage, {
      create: async () => {
        created += 1
        return { ...fixture.created, secret: undefined }
      },
    })
    const { flow, clock, gave, calls, settled } = fixture
    await flow.start()
    flow.askPasskey()
    while (gave.length === 0) await settled()
    gave[0]?.answer(again)
    await settled()
    clock.advance(30 * 60 * 1_000 - 1)
    flow.askPasskey()
    while (gave.length === 1) await settled()
    expect([created, calls]).toEqual([1, ['get c2FsdA']])
    expect(gave[1]?.given).toStrictEqual({})
  })

  test('drops a passkey without PRF support, so that another can be created', async () => {
    let isAble = false
    const fixture = setUp(withRecoveryStorage, { create: async () => ({ ...fixture.created, isAble }) })
    const { flow, last, gave, settled } = fixture
    await flow.start()
    flow.askPasskey()
    await settled()
    expect(last()).toMatchObject({ status: 'passkey', isCreated: false, problem: { code: 'not_supported' } })
    expect(gave).toEqual([])
    isAble = true
    flow.askPasskey()
    while (gave.length === 0) await settled()
    expect(gave[0]?.given).toStrictEqual({ newPasskey: { id: 'Y3JlZA' } })
  })

  test('drops a passkey that returns no secret despite its PRF support', async () => {
    let isGiving = false
    const fixture = setUp(withRecoveryStorage, {
      create: async () => ({ ...fixture.created, secret: undefined }),
      get: async () => ({ assertion: {}, secret: isGiving ? await secretOf('secret') : undefined }),
    })
    const { flow, last, gave, settled } = fixture
    await flow.start()
    flow.askPasskey()
    await settled()
    expect(last()).toMatchObject({ status: 'passkey', isCreated: false, problem: { code: 'not_supported' } })
    isGiving = true
    flow.askPasskey()
    while (gave.length === 0) await settled()
    expect(gave[0]?.given).toStrictEqual({ newPasskey: { id: 'Y3JlZA' } })
  })

  test.each([
    ['gives what it has', () => Promise.resolve()],
    ['is refused', () => Promise.reject(new LatchkeyError('passkey_not_allowed', 'No'))],
  ])('that %s after the window has ended changes nothing', async (_what, settle) => {
    const asking = Promise.withResolvers<void>()
    const { flow, seen, gave } = setUp(bringing, {
      get: async () => {
        await asking.promise
        return { assertion: {}, secret: await secretOf('secret') }
      },
    })
    await flow.start()
    flow.askPasskey()
    flow.lose()
    await settle().then(asking.resolve, asking.reject)
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    expect(seen.map(({ status }) => status)).toEqual(['opening', 'passkey', 'prompt', 'alone'])
    flow.askPasskey()
    expect([seen.length, gave]).toEqual([4, []])
  })
})

describe('a recovery window and its frame', () => {
  test('keeps no timer but the frame poll after the frame has answered', async () => {
    const { flow, clock, last } = setUp(recovering)
    await flow.start()
    clock.advance(60_000)
    expect(last()).toMatchObject({ status: 'password' })
    // Only the frame poll remains.
    expect(clock.timers()).toBe(1)
  })

  test('reports a frame that goes away while it uses the input', async () => {
    const { flow, last, gave, settled } = setUp(recovering)
    await flow.start()
    flow.enter('correct horse')
    gave[0]?.fail(new LatchkeyError('channel_closed', 'Gone'))
    await settled()
    expect(last()).toEqual({ status: 'alone' })
  })

  test('ignores the outcome after it lost the frame', async () => {
    const { flow, last, gave, clock, isClosed } = setUp(recovering)
    await flow.start()
    flow.enter('correct horse')
    flow.lose()
    gave[0]?.answer({ type: 'done' })
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    clock.advance(1_400)
    expect([last(), isClosed()]).toEqual([{ status: 'alone' }, false])
  })

  test('keeps showing a failure after it lost the frame', async () => {
    const { flow, last, gave, clock, settled, isClosed } = setUp(recovering)
    await flow.start()
    flow.enter('correct horse')
    gave[0]?.answer({ type: 'over', problem: { code: 'share_mismatch' } })
    await settled()
    flow.lose()
    clock.advance(60_000)
    expect(last()).toEqual({
      status: 'over',
      method: 'user-passcode',
      problem: { code: 'share_mismatch' },
    })
    expect(isClosed()).toBe(false)
  })

  test('asks for no approval if it loses the frame at that moment', async () => {
    const { flow, last } = setUp(setting)
    await flow.start()
    flow.go('finalizing', 'correct horse')
    flow.understand()
    const confirmed = flow.confirm({ digest: await digestOf('user-passcode') })
    flow.lose()
    await expect(confirmed).rejects.toMatchObject({ code: 'not_found' })
    expect(last()).toEqual({ status: 'alone' })
  })
})
