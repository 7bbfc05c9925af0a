import { type ErrorCode, LatchkeyError } from '@latchkey/protocol'
import type { PendingWallet, WalletRpcRequest } from '@latchkey/protocol/wallet'
import { describe, expect, test } from 'vitest'
import { settle } from '../testing/clock.ts'
import { watch } from '../testing/fixture.ts'
import { walletAddress as address, makeAuthAnswer, visitorUser, walletUser } from '../testing/fixtures.ts'
import { failOnce, handleOf, loginAnswer, openWallet, type Serve, served } from '../testing/wallet.ts'
import { publicKeyOf } from '../testing/wallet-windows/vault-keys.ts'
import type { Wallet } from './wallet.ts'

const otherAddress = '0x0000000000000000000000000000000000000001'
const ready = { readyWaitMs: 15_000 }
const gone = new LatchkeyError('call_cancelled', 'Gone')

describe('wallet call', () => {
  // spec W4.1, W7.41
  test('is one step of its own operation, with a token for its key, step, purpose and wallet', async () => {
    const { wallet, log, tokens, confirmations } = openWallet()
    expect(await wallet.create(ready)).toBe(address)
    await wallet.connect(address)
    await wallet.recover(address)
    await wallet.signMessage(address, 'Hello')
    await settle()
    const step = (operation: number) => ({
      accessToken: `wallet-token-${operation}`,
      operation: { id: `op-${operation}`, step: 1 },
    })
    const request = { method: 'personal_sign', params: ['0x48656c6c6f', address] }
    expect(log).toEqual([
      { call: 'operation:begin', data: {} },
      { call: 'wallet:create', data: { ...step(1), recoveryMethod: 'latchkey' } },
      { call: 'operation:end', data: { operationId: 'op-1' } },
      { call: 'operation:begin', data: {} },
      { call: 'wallet:connect', data: { ...step(2), address } },
      { call: 'operation:end', data: { operationId: 'op-2' } },
      { call: 'operation:begin', data: {} },
      { call: 'wallet:recover', data: { ...step(3), address, recoveryMethod: 'latchkey' } },
      { call: 'operation:end', data: { operationId: 'op-3' } },
      { call: 'operation:begin', data: {} },
      { call: 'wallet:rpc', data: { ...step(4), address, request, requesterAppId: 'app' } },
      { call: 'operation:end', data: { operationId: 'op-4' } },
    ])
    const asked = (operation: number) => ({
      publicKey: publicKeyOf(operation),
      operation: { id: `op-${operation}`, step: 1 },
    })
    expect(tokens).toEqual([
      { ...asked(1), purpose: 'create', address: null, confirmation: null },
      { ...asked(2), purpose: 'connect', address, confirmation: null },
      { ...asked(3), purpose: 'recover', address, confirmation: null },
      { ...asked(4), purpose: 'sign', address, confirmation: handleOf(1) },
    ])
    expect(confirmations).toEqual([
      { handle: handleOf(1), address, request, origin: 'https://app.example', place: 'frame' },
    ])
  })

  test("sends the vault's statement for this user and dialog with the token request", async () => {
    const { wallet, stated, asked } = openWallet()
    await wallet.connect(address)
    await wallet.signMessage(address, 'Hello')
    const of = { dialogKey: 'k'.repeat(43), userId: visitorUser.id }
    expect(stated.map(({ data }) => data)).toEqual([
      { ...of, purpose: 'connect', operation: { id: 'op-1', step: 1 }, address, digest: null },
      {
        ...of,
        purpose: 'sign',
        operation: { id: 'op-2', step: 1 },
        address,
        digest: `0x${'d1'.repeat(32)}`,
      },
    ])
    expect(asked.filter(({ path }) => path === '/wallets/token').map(({ headers }) => headers)).toEqual([
      { 'latchkey-device': 'statement of connect' },
      { 'latchkey-device': 'statement of sign' },
    ])
  })

  test('counts the steps of an operation', async () => {
    const { wallet, tokens } = openWallet()
    const operation = await wallet.begin()
    expect(operation).toMatchObject({ id: 'op-1', publicKey: publicKeyOf(1) })
    await wallet.requestToken(operation, 'connect', address)
    const { data } = await wallet.requestToken(operation, 'sign', address)
    expect(data).toEqual({ accessToken: 'wallet-token-2', operation: { id: 'op-1', step: 2 } })
    expect(tokens.map(({ operation: { step } }) => step)).toEqual([1, 2])
  })

  test.each([
    ['Hello', '0x48656c6c6f'],
    // The text itself, and not the three bytes that its hex digits encode.
    ['0xdeadbe', '0x3078646561646265'],
  ])('signs %j with personal_sign, message first, as hex', async (message, hex) => {
    const { wallet, steps } = openWallet()
    expect(await wallet.signMessage(address, message)).toBe('0xsigned')
    expect(steps().at(-1)?.data).toMatchObject({
      address,
      request: { method: 'personal_sign', params: [hex, address] },
    })
  })

  test('passes the second factor to signing and recovery calls, and nothing without one', async () => {
    const { wallet, steps } = openWallet()
    const verification = { mfaMethod: 'totp', mfaCode: '123456' } as const
    await wallet.signMessage(address, 'Hello', { verification })
    expect(steps().at(-1)).toMatchObject({ call: 'wallet:rpc', data: verification })
    await wallet.recover(address, { verification })
    expect(steps().at(-1)).toMatchObject({ call: 'wallet:recover', data: verification })
    await wallet.recover(address)
    expect(steps().at(-1)?.data).not.toHaveProperty('mfaCode')
  })

  test('refuses to sign a message that the server accepts as a proof, and signs similar ones', async () => {
    const { wallet, log } = openWallet()
    for (const message of ['latchkey/wallet-proof/', 'latchkey/wallet-proof/1\n1:a']) {
      await expect(wallet.signMessage(address, message)).rejects.toMatchObject({ code: 'invalid_message' })
    }
    expect(log).toEqual([])
    await wallet.signMessage(address, ' latchkey/wallet-proof/1\n1:a')
    await wallet.signMessage(address, 'latchkey/wallet-proof')
  })
})

describe('signature without a confirmation', () => {
  test('puts the request first, and again if the operation is retried', async () => {
    const restarted = new LatchkeyError('vault_operation_unknown', 'Restarted')
    const { wallet, tokens, confirmations } = openWallet(failOnce(restarted, 'wallet:rpc'))
    await wallet.signMessage(address, 'Hello')
    expect(confirmations.map(({ handle }) => handle)).toEqual([handleOf(1), handleOf(2)])
    expect(tokens.map(({ confirmation }) => confirmation)).toEqual([handleOf(1), handleOf(2)])
  })
})

describe('operation', () => {
  const tokenRanOut = new LatchkeyError('error', 'The token is not valid', {
    details: { code: 'missing_or_invalid_token' },
  })
  test.each([
    new LatchkeyError('vault_operation_unknown', 'The vault was restarted'),
    new LatchkeyError('frame_reloaded', 'Reloaded in the middle of the call'),
    new LatchkeyError('channel_closed', 'Gone'),
    tokenRanOut,
  ])('is retried with another key and token after $code', async (error) => {
    const { wallet, steps, tokens } = openWallet(failOnce(error, 'wallet:create'))
    expect(await wallet.create(ready)).toBe(address)
    expect(steps().map(({ data }) => data)).toMatchObject([
      { accessToken: 'wallet-token-1', operation: { id: 'op-1', step: 1 } },
      { accessToken: 'wallet-token-2', operation: { id: 'op-2', step: 1 } },
    ])
    expect(tokens.map(({ publicKey }) => publicKey)).toEqual([publicKeyOf(1), publicKeyOf(2)])
  })

  test('is retried only once', async () => {
    const always: Serve = (call, data) => {
      if (call === 'wallet:connect') throw new LatchkeyError('frame_reloaded', 'Again')
      return served(call, data)
    }
    const { wallet, steps } = openWallet(always)
    await expect(wallet.connect(address)).rejects.toMatchObject({ code: 'frame_reloaded' })
    expect(steps()).toHaveLength(2)
  })

  test.each([
    new LatchkeyError('share_mismatch', 'Another address'),
    new LatchkeyError('error', 'Something else', { details: { code: 'internal_error' } }),
    new LatchkeyError('wallet_not_on_device', 'No share'),
  ])('is not retried after $code', async (error) => {
    const { wallet, steps } = openWallet(failOnce(error, 'wallet:rpc'))
    await expect(wallet.signMessage(address, 'Hello')).rejects.toBe(error)
    expect(steps()).toHaveLength(1)
  })

  test('ends when its caller aborts, and is not retried', async () => {
    const caller = new AbortController()
    const { wallet, names } = openWallet((call, data) => {
      if (call !== 'wallet:connect') return served(call, data)
      caller.abort(gone)
      throw new LatchkeyError('frame_reloaded', 'Reloaded')
    })
    await expect(wallet.connect(address, caller)).rejects.toBe(gone)
    await settle()
    expect(names()).toEqual(['operation:begin', 'wallet:connect', 'operation:end'])
  })
})

describe('creating a wallet', () => {
  const answering =
    (answer: { onDevice: boolean; user: typeof walletUser | null }): Serve =>
    (call, data) =>
      call === 'wallet:create' ? { address, ...answer } : served(call, data)

  test("updates the session with the user's wallet", async () => {
    const { wallet, replaced } = openWallet(answering({ onDevice: true, user: walletUser }))
    await wallet.create(ready)
    expect(replaced).toEqual([walletUser])
  })

  test('recovers a wallet that was created elsewhere, in its own operation', async () => {
    const { wallet, steps, tokens, replaced } = openWallet(answering({ onDevice: false, user: null }))
    expect(await wallet.create(ready)).toBe(address)
    expect(steps()).toMatchObject([
      { call: 'wallet:create', data: { operation: { id: 'op-1', step: 1 } } },
      { call: 'wallet:recover', data: { operation: { id: 'op-2', step: 1 }, address } },
    ])
    expect(tokens.map(({ purpose }) => purpose)).toEqual(['create', 'recover'])
    expect(replaced).toEqual([])
  })

  describe('with an existing wallet', () => {
    const password = { method: 'user-passcode', window: 'w'.repeat(43) } as const
    const used = { method: 'icloud', window: 'w'.repeat(43) } as const
    const refusing = (code: ErrorCode): Serve => {
      const taken = answering({ onDevice: true, user: null })
      return (call, data) => {
        if (call === 'wallet:recover') throw new LatchkeyError(code, code)
        return taken(call, data)
      }
    }

    test('succeeds if the chosen password opens the wallet, on this device too', async () => {
      const { wallet, steps } = openWallet(answering({ onDevice: true, user: null }))
      expect(await wallet.create({ ...ready, own: password })).toBe(address)
      expect(steps().map(({ call }) => call)).toEqual(['wallet:create', 'wallet:recover'])
    })

    test.each([
      'invalid_recovery_pin',
      'disallowed_recovery_method',
      'missing_or_invalid_mfa',
      'too_many_requests',
    ] as const)(
      'rejects as already recovered otherwise if the password attempt fails with %s',
      async (code) => {
        const { wallet } = openWallet(refusing(code))
        await expect(wallet.create({ ...ready, own: password })).rejects.toMatchObject({
          code: 'embedded_wallet_recovery_already_exists',
        })
      },
    )

    test('rejects as already recovered otherwise if a single-use recovery cannot be checked', async () => {
      const { wallet, steps } = openWallet(answering({ onDevice: true, user: null }))
      await expect(wallet.create({ ...ready, own: used })).rejects.toMatchObject({
        code: 'embedded_wallet_recovery_already_exists',
      })
      expect(steps().map(({ call }) => call)).toEqual(['wallet:create'])
    })

    test('can be called again after any other error', async () => {
      const { wallet } = openWallet(refusing('server_unreachable'))
      await expect(wallet.create({ ...ready, own: password })).rejects.toMatchObject({
        code: 'server_unreachable',
      })
    })
  })
})

describe('operation that begins while the user types a code', () => {
  /** Logs in with the vault key of the waiting operation. */
  async function logIn(answer = loginAnswer('create'), serve?: Serve) {
    const opened = openWallet(serve)
    opened.wallet.prepareOperation()
    await settle()
    const vault = opened.wallet.loginVault()
    opened.wallet.acceptLogin(vault, answer)
    return { ...opened, vault }
  }

  test('gives its key and step to the login once it is ready', async () => {
    const { wallet } = openWallet()
    expect(wallet.loginVault()).toBeUndefined()
    wallet.prepareOperation()
    wallet.prepareOperation()
    expect(wallet.loginVault()).toBeUndefined()
    await settle()
    const said = {
      vault: { publicKey: publicKeyOf(1), operation: { id: 'op-1', step: 1 } },
      headers: { 'latchkey-device': 'statement of login' },
    }
    expect(wallet.loginVault()).toEqual(said)
    // After a wrong code, the next attempt names the same step.
    expect(wallet.loginVault()).toEqual(said)
  })

  test("creates a wallet with the login's token and requests no other", async () => {
    const { wallet, log, tokens } = await logIn()
    expect(await wallet.create(ready)).toBe(address)
    expect(tokens).toEqual([])
    expect(log[1]).toEqual({
      call: 'wallet:create',
      data: { accessToken: 'login-token', operation: { id: 'op-1', step: 1 }, recoveryMethod: 'latchkey' },
    })
    // The token is used once.
    await wallet.create(ready)
    expect(tokens).toHaveLength(1)
  })

  test('passes on the slot that the server reserved with the login', async () => {
    const place: PendingWallet = {
      status: 'pending',
      walletId: 'wal_1',
      userId: 'usr_1',
      kind: 'entropy',
      chain: 'ethereum',
      generation: 1,
      sealingKey: { id: 'seal_1', publicKey: publicKeyOf(1) },
    }
    const answer = loginAnswer('create')
    const { wallet, steps } = await logIn({
      ...answer,
      walletToken: { token: 'login-token', purpose: 'create', place },
    })
    await wallet.create(ready)
    expect(steps()).toMatchObject([{ call: 'wallet:create', data: { place } }])
  })

  test('connects a wallet with a login token for that purpose', async () => {
    const { wallet, steps, tokens, become } = await logIn(loginAnswer('connect', { user: walletUser }))
    become(walletUser)
    await wallet.connect(address)
    expect(steps()).toMatchObject([{ call: 'wallet:connect', data: { accessToken: 'login-token' } }])
    expect(tokens).toEqual([])
  })

  test.each([
    ['for another purpose', loginAnswer('connect', { user: walletUser }), visitorUser],
    ['for another user', loginAnswer('create'), { ...visitorUser, id: 'user-2' }],
  ])('requests a token if the login token is %s', async (_, answer, present) => {
    const { wallet, steps, tokens, become } = await logIn(answer)
    become(present)
    await wallet.create(ready)
    expect(tokens).toEqual([
      {
        publicKey: publicKeyOf(1),
        operation: { id: 'op-1', step: 2 },
        purpose: 'create',
        address: null,
        confirmation: null,
      },
    ])
    expect(steps()).toMatchObject([{ data: { accessToken: 'wallet-token-1', operation: { step: 2 } } }])
  })

  test("requests a token if the login's token is for another wallet", async () => {
    const { wallet, tokens, become } = await logIn(loginAnswer('connect', { user: walletUser }))
    become(walletUser)
    await wallet.connect(otherAddress)
    expect(tokens).toMatchObject([{ purpose: 'connect', address: otherAddress }])
  })

  test.each([
    [49_999, 0],
    [50_000, 1],
  ])('requests a token after %i ms: %i times', async (laterMs, times) => {
    const { wallet, clock, tokens } = await logIn()
    await clock.advance(laterMs)
    await wallet.create(ready)
    expect(tokens).toHaveLength(times)
  })

  test('ignores a token that was issued for another key', async () => {
    const { wallet, tokens } = await logIn(makeAuthAnswer())
    const vault = { publicKey: publicKeyOf(9), operation: { id: 'op-1', step: 1 } }
    wallet.loginVault()
    wallet.acceptLogin({ vault, headers: {} }, loginAnswer('create'))
    await wallet.create(ready)
    expect(tokens).toHaveLength(1)
  })

  test('is retried if the vault no longer has it', async () => {
    const restarted = new LatchkeyError('vault_operation_unknown', 'Restarted')
    const { wallet, steps } = await logIn(loginAnswer('create'), failOnce(restarted, 'wallet:create'))
    expect(await wallet.create(ready)).toBe(address)
    expect(steps()).toMatchObject([
      { data: { accessToken: 'login-token', operation: { id: 'op-1' } } },
      { data: { accessToken: 'wallet-token-1', operation: { id: 'op-2' } } },
    ])
  })

  test('stores its device for the user before it uses the first token', async () => {
    const { wallet, stated, log, asked } = await logIn()
    await wallet.create(ready)
    expect(stated).toEqual([
      {
        call: 'operation:state',
        data: {
          purpose: 'login',
          operation: { id: 'op-1', step: 1 },
          address: null,
          digest: null,
          dialogKey: 'k'.repeat(43),
          userId: null,
        },
      },
      { call: 'device:file', data: { operationId: 'op-1', userId: visitorUser.id } },
    ])
    expect(log.map(({ call }) => call)).toContain('wallet:create')
    expect(asked).toEqual([])
  })

  test('is not named by a login that it might not outlive', async () => {
    const { wallet, clock } = openWallet()
    wallet.prepareOperation()
    await settle()
    await clock.advance(10 * 60_000 - 90_000)
    expect(wallet.loginVault()).toBeDefined()
    await clock.advance(1)
    expect(wallet.loginVault()).toBeUndefined()
  })

  test('is awaited by a call that arrives while it begins', async () => {
    const { wallet, names } = openWallet()
    wallet.prepareOperation()
    await wallet.create(ready)
    await settle()
    expect(names()).toEqual(['operation:begin', 'wallet:create', 'operation:end'])
  })

  test("is awaited no longer than the frame's deadline", async () => {
    const { wallet, clock } = openWallet(served, () => new Promise(() => {}))
    wallet.prepareOperation()
    const creating = watch(wallet.create(ready))
    await clock.advance(14_999)
    expect(creating.settled).toBe(false)
    await clock.advance(1)
    expect(creating.error).toMatchObject({ code: 'frame_unresponsive' })
  })

  test('ends at a logout', async () => {
    const { wallet, log, tokens } = await logIn()
    await wallet.forget('user-1')
    await settle()
    expect(log.slice(1)).toEqual([
      { call: 'operation:end', data: { operationId: 'op-1' } },
      { call: 'mfa:clear', data: { userId: 'user-1' } },
    ])
    await wallet.create(ready)
    expect(tokens).toMatchObject([{ publicKey: publicKeyOf(2) }])
  })

  test('leaves a failed begin to the next call', async () => {
    const down = new LatchkeyError('error', 'No worker')
    const { wallet } = openWallet(failOnce(down, 'operation:begin'))
    wallet.prepareOperation()
    await settle()
    expect(wallet.loginVault()).toBeUndefined()
    expect(await wallet.create(ready)).toBe(address)
  })
})

const hello: WalletRpcRequest = { method: 'personal_sign', params: ['0x48656c6c6f', address] }

/** Confirms and prepares a request as a card does. */
async function review(wallet: Wallet, { at = address, signal }: { at?: string; signal?: AbortSignal } = {}) {
  const confirmation = await wallet.confirm(at, hello)
  wallet.prepareSign(at, { confirmation, signal })
  return confirmation
}

describe('prepared signature', () => {
  test('prepares only the operation for a page approval, and gets its token after the approval', async () => {
    const { wallet, names, tokens } = openWallet()
    const confirmation = { ...(await wallet.confirm(address, hello)), place: 'page' as const }
    wallet.prepareSign(address, { confirmation })
    await settle()
    expect(names()).toEqual(['operation:begin'])
    expect(tokens).toEqual([])
    await wallet.signMessage(address, 'Hello', { confirmation })
    expect(tokens).toMatchObject([{ publicKey: publicKeyOf(1), confirmation: confirmation.handle }])
  })

  test('is not used for another confirmation', async () => {
    const { wallet, tokens } = openWallet()
    await review(wallet)
    await settle()
    const confirmation = await wallet.confirm(address, hello)
    await wallet.signMessage(address, 'Hello', { confirmation })
    expect(tokens.map((token) => token.confirmation)).toEqual([handleOf(1), handleOf(2)])
  })

  test('takes one round trip after the press', async () => {
    const { wallet, names, tokens, log } = openWallet()
    const confirmation = await review(wallet)
    await settle()
    expect(names()).toEqual(['operation:begin'])
    const token = { purpose: 'sign', address, operation: { id: 'op-1', step: 1 } }
    expect(tokens).toMatchObject([{ ...token, confirmation: confirmation.handle }])
    expect(await wallet.signMessage(address, 'Hello', { confirmation })).toBe('0xsigned')
    expect(tokens).toHaveLength(1)
    expect(log[1]).toMatchObject({
      call: 'wallet:rpc',
      data: { accessToken: 'wallet-token-1', operation: { id: 'op-1', step: 1 } },
    })
  })

  test('renews its token every 40 s until the press', async () => {
    const { wallet, tokens, steps, clock } = openWallet()
    const confirmation = await review(wallet)
    await clock.advance(39_999)
    expect(tokens).toHaveLength(1)
    await clock.advance(1)
    await clock.advance(40_000)
    expect(tokens.map(({ operation }) => operation)).toEqual([
      { id: 'op-1', step: 1 },
      { id: 'op-1', step: 2 },
      { id: 'op-1', step: 3 },
    ])
    await wallet.signMessage(address, 'Hello', { confirmation })
    expect(steps()).toMatchObject([{ data: { accessToken: 'wallet-token-3', operation: { step: 3 } } }])
    await clock.advance(120_000)
    expect(tokens).toHaveLength(3)
    expect(clock.waiting()).toEqual([])
  })

  test('is not used for another wallet', async () => {
    const { wallet, tokens } = openWallet()
    await review(wallet, { at: otherAddress })
    await settle()
    await wallet.signMessage(address, 'Hello')
    expect(tokens).toMatchObject([
      { address: otherAddress, publicKey: publicKeyOf(1) },
      { address, publicKey: publicKeyOf(2) },
    ])
  })

  test('ends with the review', async () => {
    const { wallet, names, clock } = openWallet()
    const card = new AbortController()
    await review(wallet, card)
    await settle()
    card.abort(gone)
    await settle()
    expect(names()).toEqual(['operation:begin', 'operation:end'])
    expect(clock.waiting()).toEqual([])
  })

  test('is awaited by an early press', async () => {
    const { wallet, names } = openWallet()
    const confirmation = await review(wallet)
    expect(await wallet.signMessage(address, 'Hello', { confirmation })).toBe('0xsigned')
    await settle()
    expect(names()).toEqual(['operation:begin', 'wallet:rpc', 'operation:end'])
  })

  test('is retried if its vault is gone', async () => {
    const restarted = new LatchkeyError('vault_operation_unknown', 'Restarted')
    const { wallet, steps } = openWallet(failOnce(restarted, 'wallet:rpc'))
    const confirmation = await review(wallet)
    await settle()
    expect(await wallet.signMessage(address, 'Hello', { confirmation })).toBe('0xsigned')
    expect(steps().map(({ data }) => data.operation)).toEqual([
      { id: 'op-1', step: 1 },
      { id: 'op-2', step: 1 },
    ])
  })

  test('puts the same request again if the released step was lost with its frame', async () => {
    const reloaded = new LatchkeyError('frame_reloaded', 'Reloaded')
    const { wallet, tokens, confirmations } = openWallet(failOnce(reloaded, 'wallet:rpc'))
    const confirmation = await review(wallet)
    await settle()
    expect(await wallet.signMessage(address, 'Hello', { confirmation })).toBe('0xsigned')
    expect(tokens.map((token) => token.confirmation)).toEqual([handleOf(1), handleOf(2)])
    expect(confirmations.map(({ request, place }) => ({ request, place }))).toEqual([
      { request: hello, place: 'frame' },
      { request: hello, place: 'frame' },
    ])
  })

  test('does not put a lost page approval again', async () => {
    const reloaded = new LatchkeyError('frame_reloaded', 'Reloaded')
    const { wallet, tokens, confirmations } = openWallet(failOnce(reloaded, 'wallet:rpc'))
    const confirmation = { ...(await wallet.confirm(address, hello)), place: 'page' as const }
    await wallet.signMessage(address, 'Hello', { confirmation })
    expect(tokens.map((token) => token.confirmation)).toEqual([handleOf(1), handleOf(1)])
    expect(confirmations).toHaveLength(1)
  })

  test('ends when the caller of the press aborts', async () => {
    const { wallet, names } = openWallet((call, data) =>
      call === 'operation:begin' ? new Promise(() => {}) : served(call, data),
    )
    const confirmation = await review(wallet)
    const caller = new AbortController()
    const signing = watch(wallet.signMessage(address, 'Hello', { signal: caller.signal, confirmation }))
    await settle()
    caller.abort(gone)
    await settle()
    expect(signing.error).toBe(gone)
    expect(names()).toEqual(['operation:begin'])
  })
})

describe('login without a vault', () => {
  const answer = makeAuthAnswer({ deviceSecret: 'one-use' })

  test('binds its device as soon as the frame is ready, before any step', async () => {
    const { wallet, stated, asked, names } = openWallet()
    wallet.acceptLogin(undefined, answer)
    await wallet.connect(address)
    expect(asked.map(({ path, body }) => [path, body])).toEqual([
      ['/sessions/device', { secret: 'one-use' }],
      ['/wallets/token', expect.objectContaining({ purpose: 'connect' })],
    ])
    expect(asked[0]?.headers).toEqual({ 'latchkey-device': 'statement of login' })
    expect(stated.map(({ call, data }) => [call, data.purpose ?? data.userId])).toEqual([
      ['operation:state', 'login'],
      ['device:file', visitorUser.id],
      ['operation:state', 'connect'],
    ])
    expect(names().filter((name) => name.startsWith('operation:'))).toEqual([
      'operation:begin',
      'operation:begin',
      'operation:end',
      'operation:end',
    ])
  })

  test('continues without a device if binding fails, which the next step reports', async () => {
    const refused = new LatchkeyError('vault_operation_unknown', 'Gone')
    const { wallet, stated, tokens } = openWallet(failOnce(refused, 'operation:begin'))
    wallet.acceptLogin(undefined, answer)
    await settle()
    expect(stated).toEqual([])
    await wallet.connect(address)
    expect(tokens).toHaveLength(1)
  })

  test('binds nothing if the server already bound the device', async () => {
    const { wallet, asked, mounted } = openWallet()
    wallet.acceptLogin(undefined, makeAuthAnswer())
    await settle()
    expect([asked, mounted]).toEqual([[], []])
  })
})
