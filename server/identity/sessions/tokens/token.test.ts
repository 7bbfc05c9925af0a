import { createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { expect, test } from 'vitest'
import { mintToken, parseKeyId, type TokenKind, verifyToken } from './token.ts'

const issuer = 'https://dialog.example'
const subject = { appId: 'a'.repeat(25), userId: 'usr_1', sessionId: 'ses_1' }
const now = 1_800_000_000
const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const keyId = `typed-${'k'.repeat(24)}`
const key = { id: keyId, privateKey: pair.privateKey }
const vaultKey = 'B'.repeat(87)
const keyThumbprint = 'k'.repeat(43)
const step = {
  vaultKey,
  operation: { id: 'op_1', step: 2 },
  purpose: 'sign',
  walletId: 'wal_1',
  confirmed: { confirmation: 'c'.repeat(43), digest: `0x${'d1'.repeat(32)}` },
} as const

const minted = () => mintToken(key, issuer, subject, { scope: 'dialog', keyThumbprint }, now)
const verified = (token: string, at = now) => verifyToken(token, pair.publicKey, issuer, at)

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const claims = {
  iss: issuer,
  aud: issuer,
  client_id: subject.appId,
  sub: subject.userId,
  sid: subject.sessionId,
  scope: 'dialog',
  iat: now,
  exp: now + 900,
  cnf: { jkt: keyThumbprint },
}
/** Signs with the server's own key, so that only the content can cause a rejection. */
function signed(header: unknown, payload: unknown) {
  const text = `${encoded(header)}.${encoded(payload)}`
  const signature = sign('sha256', Buffer.from(text), { key: pair.privateKey, dsaEncoding: 'ieee-p1363' })
  return `${text}.${signature.toString('base64url')}`
}
const header = { alg: 'ES256', typ: 'latchkey-dialog+jwt', kid: keyId }
const hostHeader = { ...header, typ: 'at+jwt' }
const walletHeader = { ...header, typ: 'latchkey-wallet+jwt' }
const kinds = [
  { scope: 'host' },
  { scope: 'dialog', keyThumbprint },
  { scope: 'wallet', step, keyThumbprint: 'd'.repeat(43), language: 'en' },
] satisfies TokenKind[]
const mintAll = () => kinds.map((kind) => mintToken(key, issuer, subject, kind, now))

// spec L3.6
test('a token contains subject, session, issuer, audience, scope, expiry and key thumbprint', () => {
  expect(verified(minted())).toEqual(claims)
})

test('tokens of each scope have their own type, and only host tokens are for the app', () => {
  const contents = mintAll().map((token) => {
    const [head, payload] = token
      .split('.')
      .slice(0, 2)
      .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()))
    return [head, payload.aud, payload.client_id]
  })
  expect(contents).toEqual([
    [{ alg: 'ES256', typ: 'at+jwt', kid: keyId }, subject.appId, subject.appId],
    [{ alg: 'ES256', typ: 'latchkey-dialog+jwt', kid: keyId }, issuer, subject.appId],
    [{ alg: 'ES256', typ: 'latchkey-wallet+jwt', kid: keyId }, issuer, subject.appId],
  ])
})

test('a generic JWT check accepts the host token only, with the claims of RFC 9068', async () => {
  const jwk = { ...createPublicKey(pair.privateKey).export({ format: 'jwk' }), kid: keyId, alg: 'ES256' }
  const check = async (token: string) => {
    const { payload } = await jwtVerify(token, createLocalJWKSet({ keys: [jwk] }), {
      issuer,
      audience: subject.appId,
      algorithms: ['ES256'],
      currentDate: new Date(now * 1_000),
    })
    return payload
  }
  const [host = '', dialog = '', wallet = ''] = mintAll()
  expect(await check(host)).toEqual({
    iss: issuer,
    aud: subject.appId,
    client_id: subject.appId,
    sub: subject.userId,
    sid: subject.sessionId,
    scope: 'host',
    iat: now,
    exp: now + 900,
    jti: expect.stringMatching(/^[A-Za-z0-9_-]{24}$/),
  })
  for (const token of [dialog, wallet]) await expect(check(token)).rejects.toThrow('aud')
})

test('a token with the type or audience of another scope is rejected', () => {
  const headers = [hostHeader, header, walletHeader]
  const payloads = mintAll().map((token) => verified(token))
  const accepted = headers.map((one) =>
    payloads.map((payload) => verified(signed(one, payload)) !== undefined),
  )
  expect(accepted).toEqual([
    [true, false, false],
    [false, true, false],
    [false, false, true],
  ])
  const [host, dialog, wallet] = payloads
  expect(verified(signed(hostHeader, { ...host, aud: issuer }))).toBeUndefined()
  expect(verified(signed(header, { ...dialog, aud: subject.appId }))).toBeUndefined()
  expect(verified(signed(walletHeader, { ...wallet, aud: subject.appId }))).toBeUndefined()
})

test('dialog and host tokens live 15 minutes, wallet tokens 60 seconds with one step of one vault', () => {
  const of = (purpose: Parameters<typeof mintToken>[3]) => mintToken(key, issuer, subject, purpose, now)
  expect(verified(of({ scope: 'host' }), now + 899)?.scope).toBe('host')
  expect(verified(of({ scope: 'host' }), now + 900)).toBeUndefined()
  expect(verified(of({ scope: 'host' }))).not.toHaveProperty('cnf')
  const wallet = of({ scope: 'wallet', step, keyThumbprint: 'd'.repeat(43), language: 'en' })
  expect(verified(wallet, now + 59)).toMatchObject({
    scope: 'wallet',
    vpk: vaultKey,
    op: { id: 'op_1', step: 2 },
    purpose: 'sign',
    wallet: 'wal_1',
    confirmed: step.confirmed,
  })
  expect(verified(wallet, now + 60)).toBeUndefined()
})

test('a wallet token contains a language other than English, which an older release does not know', () => {
  const of = (language: 'en' | 'ar') =>
    mintToken(key, issuer, subject, { scope: 'wallet', step, keyThumbprint: 'd'.repeat(43), language }, now)
  expect(verified(of('en'))).not.toHaveProperty('lang')
  const spoken = verified(of('ar'))
  expect(spoken).toHaveProperty('lang', 'ar')
  expect(verified(signed(walletHeader, spoken))).toEqual(spoken)
  expect(verified(signed(walletHeader, { ...spoken, lang: 'tlh' }))).toBeUndefined()
  expect(verified(signed(walletHeader, { ...spoken, lang: 'constructor' }))).toBeUndefined()
})

test('the key id is read from our own header format only', () => {
  for (const token of mintAll()) expect(parseKeyId(token)).toBe(keyId)
  const forged: readonly unknown[] = [
    { ...header, alg: 'none' },
    { ...header, alg: 'HS256' },
    { ...header, alg: 'ES384' },
    { ...header, crit: ['exp'] },
    { ...header, jwk: { kty: 'EC' } },
    { ...header, jku: 'https://attacker.example' },
    { ...header, typ: 'dpop+jwt' },
    { ...header, typ: 'application/at+jwt' },
    { typ: header.typ, alg: 'ES256', kid: keyId },
    { alg: 'ES256', typ: header.typ },
    { alg: 'ES256', kid: keyId },
    { ...header, kid: `../${keyId}` },
    { ...header, kid: `${keyId} ` },
    { ...header, kid: 'k'.repeat(65) },
  ]
  for (const one of forged) expect(parseKeyId(signed(one, claims)), JSON.stringify(one)).toBeUndefined()
})

test('missing claims, a wrong issuer or scope, expired and future tokens are rejected', () => {
  const { sid: _sid, ...withoutSession } = claims
  const { client_id: _app, ...withoutApp } = claims
  const { cnf: _cnf, ...withoutKey } = claims
  const walletClaims = { ...claims, scope: 'wallet', vpk: vaultKey, op: step.operation, purpose: 'sign' }
  const { cnf: _device, ...withoutDevice } = walletClaims
  const refused: readonly unknown[] = [
    withoutSession,
    withoutApp,
    { ...claims, iss: 'https://dialog.example/' },
    { ...claims, exp: now },
    { ...claims, exp: String(now + 900) },
    { ...claims, iat: now + 31 },
    { ...claims, scope: 'admin' },
    { ...claims, scope: 'wallet' },
    withoutKey,
    { ...claims, cnf: { jkt: '' } },
    { ...claims, cnf: { jkt: `${keyThumbprint}k` } },
    { ...claims, cnf: { jkt: ` ${keyThumbprint}` } },
    { ...claims, aud: [issuer] },
    { ...claims, aud: [issuer, subject.appId] },
    'a text',
    null,
  ]
  for (const one of refused) expect(verified(signed(header, one)), JSON.stringify(one)).toBeUndefined()
  const refusedOfWallet: unknown[] = [
    walletClaims,
    { ...walletClaims, wallet: null },
    { ...walletClaims, wallet: null, confirmed: { digest: step.confirmed.digest } },
    { ...walletClaims, wallet: null, confirmed: { ...step.confirmed, digest: '0xd1' } },
    { ...walletClaims, wallet: null, confirmed: null, purpose: 'export-it' },
    { ...walletClaims, wallet: null, confirmed: null, op: { id: 'op_1', step: 0 } },
    { ...withoutDevice, wallet: null, confirmed: null },
  ]
  for (const one of refusedOfWallet)
    expect(verified(signed(walletHeader, one)), JSON.stringify(one)).toBeUndefined()
  expect(verified(signed(header, claims))).toBeDefined()
  // The signing process's clock may be 30 seconds ahead.
  expect(verified(signed(header, { ...claims, iat: now + 30 }))).toBeDefined()
  expect(verified(signed(walletHeader, { ...walletClaims, wallet: null, confirmed: null }))).toBeDefined()
})

test('unknown claims of a newer release are ignored, so that both accept each other’s tokens', () => {
  expect(verified(signed(header, { ...claims, newer: 'more' }))).toEqual(claims)
  expect(verified(signed(header, { ...claims, cnf: { jkt: keyThumbprint, newer: 1 } }))).toEqual(claims)
  const ofHost = verified(signed(hostHeader, { ...claims, aud: subject.appId, scope: 'host' }))
  expect(ofHost).toMatchObject({ scope: 'host' })
  expect(ofHost).not.toHaveProperty('cnf')
})

test('a modified, truncated or foreign token is rejected', () => {
  const [head = '', payload = '', signature = ''] = minted().split('.')
  const other = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const promoted = encoded({ ...claims, sub: 'usr_2' })
  expect(verified(`${head}.${promoted}.${signature}`)).toBeUndefined()
  expect(verified(`${head}.${payload}.`)).toBeUndefined()
  expect(verified(`${head}.${payload}`)).toBeUndefined()
  expect(verified(`${head}.${payload}.${'A'.repeat(86)}`)).toBeUndefined()
  expect(verified(` ${minted()}`)).toBeUndefined()
  expect(verified(`${minted()}A`)).toBeUndefined()
  expect(verifyToken(minted(), other.publicKey, issuer, now)).toBeUndefined()
})
