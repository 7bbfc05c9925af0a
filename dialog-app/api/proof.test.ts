import { createHash } from 'node:crypto'
import { apiRoutes } from '@latchkey/protocol/api'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  type ApiServer,
  failure,
  json,
  makeFakeProofKeys,
  openApiServer,
  type Received,
  wireAuth,
  wireTokens,
  wireUser,
} from '../testing/api-server.ts'

const clockCorrection = 3 * 3_600

let counter: number | undefined
let keys: ReturnType<typeof makeFakeProofKeys>
let server: ApiServer
beforeEach(async () => {
  counter = undefined
  keys = makeFakeProofKeys()
  server = await openApiServer({ keys, cookieCounter: () => counter })
})
afterEach(() => server.stop())

const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url')
const decode = (part = '') => JSON.parse(Buffer.from(part, 'base64url').toString())
const claimsOf = (call: Received | undefined) => decode(String(call?.headers.dpop).split('.')[1])
const requestIdOf = (call: Received | undefined) => call?.headers['latchkey-request-id']

const login = { email: 'ada@example.org', code: '123456' }

describe('call proof', () => {
  test('names its method, its address without the query, its time, its id, its body and its token', async () => {
    server.answers.push(json(200, { token: 'w' }))
    const body = {
      publicKey: 'B'.repeat(87),
      operation: { id: 'op-1', step: 1 },
      purpose: 'create',
      address: null,
      confirmation: null,
    } as const
    await server.transport.send(apiRoutes.walletToken, body, { token: 'the-bearer' })
    const [call] = server.received
    expect(call?.text).not.toBe('')
    expect(claimsOf(call)).toEqual({
      htm: 'POST',
      htu: `${server.apiOrigin}/api/v1/wallets/token`,
      iat: Date.UTC(2026, 0, 1) / 1_000,
      jti: requestIdOf(call),
      bth: sha256(call?.text ?? ''),
      ath: sha256('the-bearer'),
    })
  })

  test('has an id and the hash of an empty body for a read', async () => {
    server.answers.push(json(200, wireUser))
    await server.transport.send(apiRoutes.me, undefined, { token: 'the-bearer' })
    const [call] = server.received
    expect(claimsOf(call)).toEqual({
      htm: 'GET',
      htu: `${server.apiOrigin}/api/v1/users/me`,
      iat: Date.UTC(2026, 0, 1) / 1_000,
      jti: expect.stringMatching(/^[A-Za-z0-9_-]{22}$/),
      // SHA-256 of the empty string.
      bth: '47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU',
      ath: sha256('the-bearer'),
    })
    expect(claimsOf(call).jti).toBe(requestIdOf(call))
  })

  test('is signed by a non-extractable key', async () => {
    server.answers.push(json(200, wireUser))
    await server.transport.send(apiRoutes.me, undefined, { token: 'the-bearer' })
    const [header, claims, signature = ''] = String(server.received[0]?.headers.dpop).split('.')
    const { typ, alg, jwk } = decode(header)
    expect({ typ, alg }).toEqual({ typ: 'dpop+jwt', alg: 'ES256' })
    expect(Object.keys(jwk).sort()).toEqual(['crv', 'kty', 'x', 'y'])
    const key = await crypto.subtle.importKey('jwk', jwk, { name: 'ECDSA', namedCurve: 'P-256' }, false, [
      'verify',
    ])
    const signed = new TextEncoder().encode(`${header}.${claims}`)
    const verify = (bytes: Uint8Array<ArrayBuffer>) =>
      crypto.subtle.verify({ name: 'ECDSA', hash: 'SHA-256' }, key, bytes, signed)
    const bytes = Uint8Array.from(Buffer.from(signature, 'base64url'))
    expect(await verify(bytes)).toBe(true)
    bytes[0] = (bytes[0] ?? 0) ^ 1
    expect(await verify(bytes)).toBe(false)
  })

  test('names no token if it starts a session', async () => {
    server.answers.push(json(200, wireAuth), json(200, wireTokens))
    await server.transport.send(apiRoutes.loginWithEmailCode, login, { token: null })
    await server.transport.send(apiRoutes.redeemSessionCode, { code: 'one-use' }, { token: null })
    for (const call of server.received) {
      expect(claimsOf(call)).toMatchObject({ htm: 'POST', jti: requestIdOf(call), bth: sha256(call.text) })
      expect(claimsOf(call)).not.toHaveProperty('ath')
      expect(claimsOf(call)).not.toHaveProperty('rtc')
    }
    expect(claimsOf(server.received[0]).htu).toBe(`${server.apiOrigin}/api/v1/passwordless/authenticate`)
  })

  test('names the refresh token in the body, with any bearer', async () => {
    server.answers.push(
      json(200, wireTokens),
      json(200, { token: 't', refresh_token: 'fork', new_session_refresh_token: 'r' }),
      json(200, wireTokens),
      json(200, { success: true }),
    )
    const body = { refreshToken: 'the-refresh-token' }
    await server.transport.send(apiRoutes.refreshSession, body, { token: 'the-bearer' })
    await server.transport.send(apiRoutes.forkSession, body, { token: 'the-bearer' })
    await server.transport.send(apiRoutes.recoverFork, body, { token: null })
    await server.transport.send(apiRoutes.logout, body, { token: 'the-bearer' })
    expect(server.received.map(claimsOf).map(({ ath }) => ath)).toEqual(
      Array(4).fill(sha256('the-refresh-token')),
    )
  })

  test('names a refresh cookie on another hostname by the counter in the refusal, once', async () => {
    const told = (refreshCounter: number) =>
      json(401, {
        code: 'missing_or_invalid_token',
        details: { reason: 'proof_of_another_token', refreshCounter },
      })
    server.answers.push(told(4), json(200, wireTokens))
    await server.transport.send(apiRoutes.refreshSession, {}, { token: null })
    expect(server.received.map(claimsOf).map(({ rtc }) => rtc)).toEqual([undefined, 4])
    server.answers.push(told(4), told(4))
    await expect(server.transport.send(apiRoutes.refreshSession, {}, { token: null })).rejects.toMatchObject({
      code: 'missing_or_invalid_token',
    })
    expect(server.received.map(claimsOf).map(({ rtc }) => rtc)).toEqual([undefined, 4, undefined, 4])
  })

  test("names a refresh cookie by its marker's counter", async () => {
    counter = 7
    server.answers.push(
      json(200, wireTokens),
      json(200, { token: 't', refresh_token: 'fork', new_session_refresh_token: null }),
      json(200, wireUser),
    )
    await server.transport.send(apiRoutes.refreshSession, {}, { token: null })
    await server.transport.send(apiRoutes.forkSession, {}, { token: 'the-bearer' })
    await server.transport.send(apiRoutes.me, undefined, { token: 'the-bearer' })
    const [refresh, fork, read] = server.received.map(claimsOf)
    expect(refresh).toMatchObject({ rtc: 7, bth: sha256('{}') })
    expect(refresh).not.toHaveProperty('ath')
    expect(fork).toMatchObject({ rtc: 7, ath: sha256('the-bearer') })
    expect(read).not.toHaveProperty('rtc')
  })

  test('omits the query of its address', async () => {
    const call = { method: 'GET', requestId: 'an-id-of-a-request', body: undefined }
    const presented = { token: null, cookieCounter: undefined }
    const proof = await server.proofs.make({ ...call, url: 'https://a.example/b/c?d=e#f', presented })
    expect(decode(proof.split('.')[1]).htu).toBe('https://a.example/b/c')
  })

  test('is missing without a token and without a new session', async () => {
    server.answers.push(json(200, { success: true }))
    await server.sendCode()
    expect(server.received[0]?.headers).not.toHaveProperty('dpop')
  })
})

describe('retry', () => {
  test('keeps its id and has a new proof with its own time', async () => {
    server.answers.push(json(503, {}), json(200, wireAuth))
    const sent = server.transport.send(apiRoutes.loginWithEmailCode, login, { token: null })
    await server.retryAfter(500)
    await sent
    const [first, second] = server.received
    expect(requestIdOf(second)).toBe(requestIdOf(first))
    expect(claimsOf(second).jti).toBe(claimsOf(first).jti)
    expect(second?.headers.dpop).not.toBe(first?.headers.dpop)
  })

  test("names the browser's current cookie", async () => {
    counter = 7
    server.answers.push(json(503, {}), json(200, wireTokens))
    const sent = server.transport.send(apiRoutes.refreshSession, {}, { token: null })
    await server.until(() => server.received.length === 1)
    counter = 8
    await server.retryAfter(500)
    await sent
    expect(server.received.map(claimsOf).map(({ rtc }) => rtc)).toEqual([7, 8])
  })

  test('names the previous cookie if a logout removed its marker', async () => {
    counter = 7
    server.answers.push(json(503, {}), json(200, { success: true }))
    const sent = server.transport.send(apiRoutes.logout, {}, { token: 'the-bearer' })
    counter = undefined
    await server.retryAfter(500)
    await sent
    expect(server.received.map(claimsOf).map(({ rtc }) => rtc)).toEqual([7, 7])
  })

  test("follows at once with the server's time if the browser's clock is wrong", async () => {
    const serverSeconds = server.clock.nowMs() / 1_000 + clockCorrection
    const date = { date: new Date(serverSeconds * 1_000).toUTCString() }
    const refusal = { error: 'Old proof', code: 'missing_or_invalid_token' }
    server.answers.push(json(401, refusal, date), json(200, wireAuth, date), json(401, refusal, date))
    await server.transport.send(apiRoutes.loginWithEmailCode, login, { token: null })
    const [first, second] = server.received.map(claimsOf)
    expect(first.iat).toBe(serverSeconds - clockCorrection)
    expect(Math.abs(second.iat - serverSeconds)).toBeLessThan(2)
    // After the correction, a refusal has another reason.
    await failure(server.transport.send(apiRoutes.loginWithEmailCode, login, { token: null }))
    expect(server.received).toHaveLength(3)
  })
})

describe('analytics event', () => {
  const event = { eventName: 'modal_open', clientId: null, payload: {} } as const

  test('has a proof if a key is loaded', async () => {
    server.answers.push(json(200, { success: true }))
    await server.proofs.prepare()
    await server.transport.send(apiRoutes.analyticsEvent, event, { token: 'the-bearer' })
    expect(server.received[0]?.headers.authorization).toBe('Bearer the-bearer')
    expect(claimsOf(server.received[0])).toMatchObject({ ath: sha256('the-bearer') })
  })

  test('is anonymous without a loaded key, and creates none', async () => {
    server.answers.push(json(200, { success: true }))
    await server.transport.send(apiRoutes.analyticsEvent, event, { token: 'the-bearer' })
    expect(server.received[0]?.headers).not.toHaveProperty('authorization')
    expect(server.received[0]?.headers).not.toHaveProperty('dpop')
    expect(keys.atHand()).toBeUndefined()
  })
})
