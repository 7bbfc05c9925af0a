/** The session of the cross-app page, and the proofs of its calls. */
import { createHash } from 'node:crypto'
import { type LatchkeyError, product } from '@latchkey/protocol'
import { providerRoutes } from '@latchkey/protocol/api'
import { describe, expect, test } from 'vitest'
import type { ProvenCaller } from '../../shares/transport.ts'
import { appId, refusal, testApi, testMemory, testStore, userWith } from '../../testing/cross-app.ts'
import { emptyDisk } from '../../testing/memory-database.ts'
import { newVault } from '../../testing/test-wallet.ts'
import type { VaultClient } from '../../vault-client/client.ts'
import { createServerTime, createSession, isOver } from './session.ts'

const patient = new AbortController().signal
const nowSeconds = 1_800_000_000
const handover = { code: 'c'.repeat(43), state: 's'.repeat(43), user: 'user_1' }
const user = userWith()
const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url')
const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const decoded = (text: string | undefined) => JSON.parse(Buffer.from(text ?? '', 'base64url').toString())
const token = (name: string, expiresIn = 900, sub = 'user_1') =>
  `${part({ name })}.${part({ sub, exp: nowSeconds + expiresIn, cnf: { jkt: 'k'.repeat(43) } })}.signature`
const opened = (name: string, expiresIn?: number) => ({
  user,
  token: token(name, expiresIn),
  refreshToken: `refresh ${name}`,
})

async function headersOf({ authorize, signal }: ProvenCaller, text = '{}') {
  const sent = { method: 'POST', url: 'https://wallet.example/api/v1/x', text, requestId: 'request_1' }
  const headers = await (await authorize(sent))(signal)
  const [header, claims] = String(headers.dpop).split('.')
  return { headers, jwk: decoded(header).jwk, claims: decoded(claims) }
}

type Answers = Parameters<typeof testApi<ProvenCaller>>[0]

function open(answers: Answers, { all = testStore(), disk = emptyDisk() } = {}) {
  const vault = newVault(disk)
  let ids = 0
  const ask = (async (name: string, input: unknown) => {
    const answer = await vault.call({ id: String(++ids), name, input })
    if (answer.ok) return answer.value
    throw refusal(answer.error.code as LatchkeyError['code'])
  }) as VaultClient['call']
  const server = testApi<ProvenCaller>(answers)
  const memory = testMemory(all)
  const locks: string[] = []
  const session = createSession({
    appId,
    memory,
    vault: { call: ask },
    api: server.api,
    time: createServerTime(() => nowSeconds * 1_000),
    lock: async (run) => {
      locks.push('locked')
      return run()
    },
  })
  return { session, memory, server, all, disk, locks }
}

const redeems = { '/sessions/handover/redeem': () => opened('one') }
const verify = { interaction: 'i'.repeat(21) }
const asks = '/oauth/verify'

describe('a login handover', () => {
  test('creates a device key, stores it under the user, and redeems the code with its proof', async () => {
    const { session, server, memory } = open(redeems)
    expect(await session.open(handover, patient)).toEqual(user)
    const [call] = server.calls
    expect(call?.body).toEqual({ code: handover.code })
    const proven = call && (await headersOf(call.caller, '{"code":"x"}'))
    expect(proven?.claims).toEqual({
      jti: 'request_1',
      htm: 'POST',
      htu: 'https://wallet.example/api/v1/x',
      iat: nowSeconds,
      ath: sha256(handover.code),
      bth: sha256('{"code":"x"}'),
    })
    expect(proven?.headers.authorization).toBeUndefined()
    expect(memory.session()).toEqual({ userId: 'user_1', refreshToken: 'refresh one' })
    expect(memory.all.entries.has(`latchkey:${appId}:cross-app`)).toBe(true)
    expect(product.storageName(appId, 'cross-app')).toBe(`latchkey:${appId}:cross-app`)
    expect(session.key()).toBe('k'.repeat(43))
  })

  test('fails if the server names another user', async () => {
    const { session, memory } = open({
      '/sessions/handover/redeem': () => ({ ...opened('one'), user: { ...user, id: 'user_2' } }),
    })
    await expect(session.open(handover, patient)).rejects.toMatchObject({ code: 'invalid_data' })
    expect(memory.session()).toBeUndefined()
  })

  test('opens no session after it has expired', async () => {
    const { session } = open({ '/sessions/handover/redeem': () => refusal('missing_or_invalid_token') })
    expect(await session.open(handover, patient)).toBeUndefined()
  })
})

describe('a stored session', () => {
  test('is renewed with a proof over the refresh token by the key of its login, in one tab at a time', async () => {
    const first = open(redeems)
    await first.session.open(handover, patient)
    const keyOfLogin = first.server.calls[0] && (await headersOf(first.server.calls[0].caller)).jwk
    const { all, disk } = first
    const later = open({ '/sessions/handover/refresh': () => opened('two') }, { all, disk })
    expect(await later.session.open(undefined, patient)).toEqual(user)
    const [call] = later.server.calls
    expect(call?.body).toEqual({ refreshToken: 'refresh one' })
    const proven = call && (await headersOf(call.caller))
    expect(proven?.claims.ath).toBe(sha256('refresh one'))
    expect(proven?.jwk).toEqual(keyOfLogin)
    expect(later.memory.session()).toEqual({ userId: 'user_1', refreshToken: 'refresh two' })
    expect(later.locks).toEqual(['locked'])
  })

  test('calls with its token, a proof over it, and the headers of the call', async () => {
    const { session, server } = open({ ...redeems, [asks]: () => ({}) })
    await session.open(handover, patient)
    await session.api(
      providerRoutes.verifyAuthorization,
      { signal: patient, headers: { 'latchkey-device': 'stated' } },
      verify,
    )
    const call = server.calls.at(-1)
    const proven = call && (await headersOf(call.caller))
    expect(proven?.headers).toMatchObject({
      authorization: `Bearer ${token('one')}`,
      'latchkey-device': 'stated',
    })
    expect(proven?.claims.ath).toBe(sha256(token('one')))
  })

  test('renews a token 30 s before its expiry, once for concurrent calls', async () => {
    const { session, server } = open({
      '/sessions/handover/redeem': () => opened('one', 29),
      '/sessions/handover/refresh': () => opened('two'),
      [asks]: () => ({}),
    })
    await session.open(handover, patient)
    const call = () => session.api(providerRoutes.verifyAuthorization, { signal: patient }, verify)
    await Promise.all([call(), call()])
    expect(server.paths()).toEqual(['/sessions/handover/redeem', '/sessions/handover/refresh', asks, asks])
  })

  test('is renewed once if the server rejects its token, and ends if the server rejects it again', async () => {
    const { session, server } = open({
      ...redeems,
      '/sessions/handover/refresh': () => opened('two'),
      [asks]: () => refusal('missing_or_invalid_token'),
    })
    await session.open(handover, patient)
    const failed = session.api(providerRoutes.verifyAuthorization, { signal: patient }, verify)
    await expect(failed).rejects.toSatisfy(isOver)
    expect(server.paths()).toEqual(['/sessions/handover/redeem', asks, '/sessions/handover/refresh', asks])
  })

  test("retries with the corrected time if the browser's clock was wrong", async () => {
    let tries = 0
    const { session } = open({
      ...redeems,
      [asks]: () =>
        ++tries === 1 ? refusal('missing_or_invalid_token', { reason: 'proof_stale' }) : { tries },
    })
    await session.open(handover, patient)
    expect(await session.api(providerRoutes.verifyAuthorization, { signal: patient }, verify)).toEqual({
      tries: 2,
    })
  })

  test('is forgotten if the server ended it, and the user must log in', async () => {
    const all = testStore()
    const disk = emptyDisk()
    await open(redeems, { all, disk }).session.open(handover, patient)
    const later = open(
      { '/sessions/handover/refresh': () => refusal('missing_or_invalid_token') },
      { all, disk },
    )
    expect(await later.session.open(undefined, patient)).toBeUndefined()
    expect(later.memory.session()).toBeUndefined()
  })

  test('is forgotten without a server call if its device key is gone', async () => {
    const all = testStore()
    await open(redeems, { all }).session.open(handover, patient)
    const later = open(
      {
        '/sessions/handover/refresh': async (_body, caller) => {
          await headersOf(caller)
          return opened('two')
        },
      },
      { all },
    )
    expect(await later.session.open(undefined, patient)).toBeUndefined()
    expect(later.memory.session()).toBeUndefined()
  })

  test('is kept if the server does not respond', async () => {
    const all = testStore()
    await open(redeems, { all }).session.open(handover, patient)
    const later = open({ '/sessions/handover/refresh': () => refusal('server_unreachable') }, { all })
    await expect(later.session.open(undefined, patient)).rejects.toMatchObject({ code: 'server_unreachable' })
    expect(later.memory.session()).toEqual({ userId: 'user_1', refreshToken: 'refresh one' })
  })

  test('does not use the session of another user from another tab', async () => {
    const { session, memory } = open({ '/sessions/handover/redeem': () => opened('one', 29) })
    await session.open(handover, patient)
    memory.storeSession({ userId: 'user_2', refreshToken: 'of somebody else' })
    const failed = session.api(providerRoutes.verifyAuthorization, { signal: patient }, verify)
    await expect(failed).rejects.toMatchObject({ code: 'must_be_authenticated' })
    expect(memory.session()).toEqual({ userId: 'user_2', refreshToken: 'of somebody else' })
  })

  test('ends here and at the server, even if the server is unreachable', async () => {
    const { session, server, memory } = open({
      ...redeems,
      '/sessions/logout': () => refusal('server_unreachable'),
    })
    await session.open(handover, patient)
    await session.drop(patient)
    expect(memory.session()).toBeUndefined()
    expect(server.calls.at(-1)).toMatchObject({
      path: '/sessions/logout',
      body: { refreshToken: 'refresh one' },
    })
    expect(() => session.user()).toThrow('No user is logged in on this page')
  })
})

test('requires a login without a stored session', async () => {
  expect(await open({}).session.open(undefined, patient)).toBeUndefined()
})

test('learns the server time from responses, apart from seconds of latency', () => {
  let nowMs = 1_000_000
  const time = createServerTime(() => nowMs)
  time.learn(new Date(1_000_000 + 4_999).toUTCString())
  expect(time.nowSeconds()).toBe(1_000)
  time.learn(new Date(1_000_000 + 3_600_000).toUTCString())
  nowMs += 10_000
  expect(time.nowSeconds()).toBe(1_000 + 3_600 + 10)
  time.learn(null)
  time.learn('no date')
  expect(time.nowSeconds()).toBe(1_000 + 3_600 + 10)
})
