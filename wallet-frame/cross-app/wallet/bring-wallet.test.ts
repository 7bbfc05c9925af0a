/**
 * The wallet setup of the cross-app page: creation, connection and recovery, with a second factor if
 * required.
 */
import type { MfaMethodType } from '@latchkey/protocol'
import type { WalletPurpose } from '@latchkey/protocol/wallet'
import { describe, expect, test } from 'vitest'
import type { PublicApi } from '../../shares/transport.ts'
import { settled, testClock } from '../../testing/clock.ts'
import { address, appId, refusal, testApi, testScreen, userWith } from '../../testing/cross-app.ts'
import type { VaultClient } from '../../vault-client/client.ts'
import { canceled } from '../screen/user-answer.ts'
import type { SessionCaller } from '../session/session.ts'
import { createBringWallet } from './bring-wallet.ts'
import { createFactor } from './factor.ts'
import { createSteps, type Steps } from './steps.ts'
import { recoverByUser } from './user-recovery.ts'

const patient = new AbortController().signal

type Outcome = unknown
/** Creates steps with the given outcomes, in order. */
function stepsWith(outcomes: readonly Outcome[]) {
  const left = [...outcomes]
  const purposes: WalletPurpose[] = []
  const steps: Steps = {
    run: async ({ purpose }) => {
      purposes.push(purpose)
      const outcome = left.shift()
      if (outcome instanceof Error) throw outcome
      return outcome as never
    },
  }
  return { steps, purposes }
}

function bring(user: ReturnType<typeof userWith>, outcomes: readonly Outcome[], reloaded = userWith()) {
  const screen = testScreen()
  const { steps, purposes } = stepsWith(outcomes)
  const asked: string[] = []
  const bringing = createBringWallet({
    steps,
    session: { reload: async () => reloaded },
    show: screen.show,
    askUser: async (recovery, run) => {
      asked.push(recovery)
      return run({} as never, async () => ({}))
    },
  })(user, patient)
  return { ...screen, bringing, purposes, asked }
}

describe('the wallet setup', () => {
  test('creates a wallet for a user without one', async () => {
    const page = bring(userWith(null), [{ address, onDevice: true }])
    expect(await page.bringing).toBe(address)
    expect([page.purposes, page.statuses()]).toEqual([['create'], ['making']])
  })

  test('recovers a wallet that another tab created meanwhile', async () => {
    const page = bring(userWith(null), [
      { address, onDevice: false },
      refusal('wallet_not_on_device'),
      address,
    ])
    expect(await page.bringing).toBe(address)
    expect(page.purposes).toEqual(['create', 'connect', 'recover'])
  })

  test('connects a wallet with a share on this device, without showing anything', async () => {
    const page = bring(userWith(), [address])
    expect(await page.bringing).toBe(address)
    expect([page.purposes, page.statuses(), page.asked]).toEqual([['connect'], [], []])
  })

  test('recovers at once if recovery is automatic', async () => {
    const page = bring(userWith(), [refusal('wallet_not_on_device'), address])
    expect(await page.bringing).toBe(address)
    expect([page.purposes, page.statuses(), page.asked]).toEqual([['connect', 'recover'], ['bringing'], []])
  })

  test.each(['user-passcode', 'passkey', 'google-drive'] as const)(
    'asks the user for their recovery method: %s',
    async (recoveryMethod) => {
      const page = bring(userWith({ recoveryMethod }), [refusal('wallet_not_on_device'), address])
      expect(await page.bringing).toBe(address)
      expect(page.asked).toEqual([recoveryMethod])
    },
  )

  test.each([
    ['connected', [refusal('share_mismatch')]],
    ['recovered', [refusal('wallet_not_on_device'), refusal('share_mismatch')]],
  ] as const)('fails as not recovered if the wallet could not be %s (spec W8.13)', async (_how, outcomes) => {
    await expect(bring(userWith(), outcomes).bringing).rejects.toMatchObject({
      code: 'unknown_embedded_wallet_error',
      message: 'Unable to recover wallet',
    })
  })

  test('does not recover if the connection check failed', async () => {
    const page = bring(userWith(), [refusal('server_unreachable')])
    await expect(page.bringing).rejects.toMatchObject({ code: 'server_unreachable' })
    expect(page.purposes).toEqual(['connect'])
  })
})

describe('recovery by the user', () => {
  const options = { challenge: 'c'.repeat(43), rpId: 'wallet.example', userVerification: 'required' }
  async function ask(
    recovery: Parameters<typeof recoverByUser>[1],
    {
      outcomes = [address],
      passkey = async (): Promise<unknown> => ({ assertion: {}, secret: undefined }),
    } = {} as {
      outcomes?: readonly Outcome[]
      passkey?: () => Promise<unknown>
    },
  ) {
    const screen = testScreen()
    const clock = testClock()
    const left = [...outcomes]
    const windows: { closed: boolean; close: () => void }[] = []
    let opens = true
    const server = testApi<SessionCaller>({
      '/recovery/passkeys/init': () => ({ options, salt: 'A'.repeat(43) }),
    })
    const pages = testApi({ '/recovery/oauth/init': () => ({ url: 'https://cloud.example/' }) })
    const brought: string[] = []
    const bringing = recoverByUser(
      {
        origin: 'https://wallet.example',
        session: { api: server.api },
        publicApi: pages.api as unknown as PublicApi,
        clock,
        authenticator: { get: passkey as never },
        browser: {
          open: () => {
            if (!opens) return null
            const window = { closed: false, close: () => {} }
            windows.push(window)
            return window
          },
          listen: () => {},
          channel: () => ({ postMessage: () => {}, close: () => {}, onmessage: null }),
          secret: () => 's'.repeat(43),
          clock,
        },
        show: screen.show,
      },
      recovery,
      async (method) => {
        brought.push(method.operations.recover)
        const outcome = left.shift()
        if (outcome instanceof Error) throw outcome
        return outcome as string
      },
      patient,
    ).catch((error: { code: string }) => error.code)
    await settled()
    return {
      ...screen,
      clock,
      bringing,
      brought,
      pages,
      windows,
      block: () => {
        opens = false
      },
    }
  }

  test('asks for a password until it is right', async () => {
    const page = await ask('user-passcode', { outcomes: [refusal('invalid_recovery_pin'), address] })
    expect(page.at('password').problem).toBeUndefined()
    page.at('password').give('wrong')
    await settled()
    expect(page.at('password').problem).toBe('wrong')
    page.at('password').give('right')
    expect(await page.bringing).toBe(address)
    expect(page.brought).toEqual(['recover-with-password', 'recover-with-password'])
  })

  // spec W8.11
  test.each([
    ['invalid_recovery_pin', 'wrong'],
    ['invalid_request_arguments', 'wrong'],
    ['too_many_requests', 'too-many'],
    ['error', 'failed'],
  ] as const)('reports %s as %s', async (code, problem) => {
    const page = await ask('user-passcode', { outcomes: [refusal(code)] })
    page.at('password').give('any')
    await settled()
    expect(page.at('password').problem).toBe(problem)
  })

  test('does not report a network failure as a wrong password', async () => {
    const page = await ask('user-passcode', { outcomes: [refusal('server_unreachable')] })
    page.at('password').give('any')
    expect(await page.bringing).toBe('server_unreachable')
  })

  test.each(['user-passcode', 'passkey', 'google-drive'] as const)(
    'can be cancelled: %s',
    async (recovery) => {
      const page = await ask(recovery)
      const shown = page.last()
      if (!shown || !('cancel' in shown)) throw new Error('There is no way to cancel')
      shown.cancel()
      expect(await page.bringing).toBe('user_rejected_request')
    },
  )

  test('prompts for a passkey in the press, and again after a cancelled prompt', async () => {
    const answers: (() => Promise<unknown>)[] = [
      async () => {
        throw refusal('passkey_not_allowed')
      },
      async () => ({ assertion: {}, secret: undefined }),
      async () => ({ assertion: {}, secret: {} }),
    ]
    const page = await ask('passkey', { passkey: () => answers.shift()?.() ?? expect.unreachable() })
    for (const problem of [undefined, 'not-given', 'unable']) {
      expect(page.at('passkey').problem).toBe(problem)
      page.at('passkey').ask()
      expect(page.last()).toEqual({ status: 'prompt' })
      await settled()
    }
    expect(await page.bringing).toBe(address)
    expect(page.brought).toEqual(['recover-with-passkey'])
  })

  test('opens the cloud window in the press, and reports a blocked or closed window', async () => {
    const page = await ask('google-drive')
    expect(page.pages.calls[0]?.body).toMatchObject({
      redirectTo: 'https://wallet.example/recovery/callback/google-drive',
    })
    page.at('cloud').open()
    expect(page.at('cloud').step).toBe('open')
    for (const window of page.windows) window.closed = true
    page.clock.advance(300)
    expect(page.at('cloud').step).toBe('closed')
    page.block()
    page.at('cloud').open()
    expect(page.at('cloud').step).toBe('blocked')
    page.at('cloud').cancel()
    await page.bringing
    expect(page.clock.timers()).toBe(0)
  })
})

describe('a step', () => {
  const publicKey = 'B'.repeat(87)
  function setUp(answers: readonly Outcome[], methods: readonly MfaMethodType[] = []) {
    const asked: [string, unknown][] = []
    const factors: unknown[] = []
    const left = [...answers]
    const server = testApi<SessionCaller>({ '/wallets/token': () => ({ token: 'of the step' }) })
    const frame = testApi({ '/mfa/totp/verify': () => ({ token: 'verified' }) })
    const vault = {
      call: async (name: string, input: unknown) => {
        asked.push([name, input])
        return name === 'begin' ? { operationId: 'operation_1', publicKey } : { statement: 'stated' }
      },
    } as unknown as VaultClient
    const steps = createSteps({
      wallet: {
        appId,
        api: frame.api as never,
        vault,
        clouds: { addresses: {}, fetch: () => expect.unreachable() },
      },
      session: { api: server.api, user: () => userWith(), key: () => 'k'.repeat(43) },
      methods: () => methods,
      askFactor: async (problem) => {
        factors.push(problem)
        return { mfaMethod: 'totp', mfaCode: '123456' }
      },
    })
    const used: unknown[] = []
    const run = (purpose: WalletPurpose) =>
      steps.run(
        {
          purpose,
          address,
          approved: { handle: 'h'.repeat(43), digest: `0x${'d1'.repeat(32)}` },
          signal: patient,
        },
        async (_ports, { withFactor }) =>
          withFactor(async (factor) => {
            used.push(factor)
            const answer = left.shift()
            if (answer instanceof Error) throw answer
            return answer
          }),
      )
    return { run, asked, factors, used, server, steps }
  }

  test('states the session key with the device key, and uses its own token', async () => {
    const { run, asked, server } = setUp(['done'])
    expect(await run('sign')).toBe('done')
    expect(asked[1]).toEqual([
      'state',
      {
        purpose: 'sign',
        operation: { id: 'operation_1', step: 1 },
        address,
        digest: `0x${'d1'.repeat(32)}`,
        dialogKey: 'k'.repeat(43),
        appId,
        userId: 'user_1',
      },
    ])
    expect(server.calls[0]).toMatchObject({
      body: {
        publicKey,
        operation: { id: 'operation_1', step: 1 },
        purpose: 'sign',
        address,
        confirmation: 'h'.repeat(43),
      },
      caller: { headers: { 'latchkey-device': 'stated' } },
    })
    expect(asked.at(-1)).toEqual(['end', { operationId: 'operation_1' }])
  })

  test('retries once if its token or its vault is gone', async () => {
    const gone = refusal('vault_operation_unknown')
    expect(await setUp([gone, 'done']).run('connect')).toBe('done')
    await expect(setUp([gone, gone, 'done']).run('connect')).rejects.toBe(gone)
  })

  test('asks for a second factor before it begins, and again after a wrong one', async () => {
    const { run, factors, used } = setUp([refusal('missing_or_invalid_mfa'), 'done'], ['totp'])
    expect(await run('sign')).toBe('done')
    expect(factors).toEqual([undefined, 'wrong'])
    expect(used).toEqual([{ mfaToken: 'verified' }, { mfaToken: 'verified' }])
  })

  test("asks for a second factor on the server's demand, and not for a step that needs none", async () => {
    const late = setUp([refusal('missing_or_invalid_mfa'), 'done'])
    expect(await late.run('recover')).toBe('done')
    expect(late.factors).toEqual([undefined])
    const none = setUp(['done'], ['totp'])
    await none.run('connect')
    expect(none.factors).toEqual([])
  })
})

describe('a second factor', () => {
  function factorOf(
    methods: readonly MfaMethodType[],
    {
      canAskPasskeys = true,
      send = () => ({ sentTo: '*1234' }) as unknown,
      passkey = async () => ({ id: 'p' }),
    } = {},
  ) {
    const screen = testScreen()
    const server = testApi<SessionCaller>({
      '/mfa/passwordless_sms/init': () => send(),
      '/mfa/passkeys/init': () => ({ relyingParty: 'example', options: {} }),
    })
    const factor = createFactor({
      session: { api: server.api },
      methods: () => methods,
      canAskPasskeys,
      askPasskey: passkey,
      show: screen.show,
    })
    return { ...screen, server, factor }
  }

  function ask(...parameters: Parameters<typeof factorOf>) {
    const page = factorOf(...parameters)
    const given = page.factor(undefined, patient).catch((error: { code: string }) => error.code)
    return { ...page, given }
  }

  test('by an authenticator app asks for a code', async () => {
    const page = ask(['totp', 'sms'])
    // spec L2.67
    expect(page.at('factor-choice').methods).toEqual(['totp', 'sms'])
    page.at('factor-choice').choose('totp')
    expect(page.at('factor')).toMatchObject({ method: 'totp', chooseOther: expect.any(Function) })
    page.at('factor').giveCode('123456')
    expect(await page.given).toEqual({ mfaMethod: 'totp', mfaCode: '123456' })
    expect(page.last()).toEqual({ status: 'working' })
  })

  test('by SMS is sent on a press, with its destination shown', async () => {
    const page = ask(['sms'])
    expect(page.server.calls).toEqual([])
    page.at('factor').sendCode()
    await settled()
    expect(page.server.calls[0]?.body).toEqual({ action: 'verify' })
    expect(page.at('factor').sentTo).toBe('*1234')
    page.at('factor').giveCode('123456')
    expect(await page.given).toMatchObject({ mfaMethod: 'sms' })
  })

  test.each([
    ['twilio_verification_failed', 'not-sent'],
    ['too_many_requests', 'too-many'],
  ] as const)('that fails to send with %s is %s', async (code, problem) => {
    const page = ask(['sms'], { send: () => refusal(code) })
    page.at('factor').sendCode()
    await settled()
    expect(page.at('factor').problem).toBe(problem)
  })

  test('by passkey prompts in the press, and again after a cancelled prompt', async () => {
    const answers = [Promise.reject(new Error('no')), Promise.resolve({ id: 'p' })]
    answers[0]?.catch(() => {})
    const page = ask(['totp', 'passkey'], {
      passkey: async () => (await answers.shift()) ?? expect.unreachable(),
    })
    page.at('factor-choice').choose('passkey')
    page.at('factor').askPasskey()
    await settled()
    expect(page.at('factor')).toMatchObject({ method: 'passkey', problem: 'not-given' })
    page.at('factor').askPasskey()
    expect(await page.given).toEqual({ mfaMethod: 'passkey', mfaCode: { id: 'p' }, relyingParty: 'example' })
  })

  test('by a passkey of another hostname is not offered', async () => {
    const alone = ask(['passkey'], { canAskPasskeys: false })
    expect(await alone.given).toBe('missing_or_invalid_mfa')
    expect(alone.states).toEqual([])
    expect(ask(['passkey', 'totp'], { canAskPasskeys: false }).at('factor')).toMatchObject({
      method: 'totp',
      chooseOther: undefined,
    })
  })

  test('that was wrong is asked for again with the method that the user chose', async () => {
    const { factor, at } = factorOf(['totp', 'sms'])
    const first = factor(undefined, patient)
    at('factor-choice').choose('sms')
    at('factor').giveCode('123456')
    await first
    void factor('wrong', patient)
    expect(at('factor')).toMatchObject({ method: 'sms', problem: 'wrong' })
  })

  test('can be cancelled', async () => {
    const page = ask(['totp'])
    page.at('factor').cancel()
    expect(await page.given).toBe(canceled().code)
  })
})
