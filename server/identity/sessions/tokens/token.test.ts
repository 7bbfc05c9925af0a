import { createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { expect, test } from 'vitest'
import { mintToken, parseKeyId, verifyToken } from './token.ts'

const issuer = 'https://dialog.example'
const subject = { appId: 'a'.repeat(25), userId: 'usr_1', sessionId: 'ses_1' }
const now = 1_800_000_000
const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const key = { id: 'key_1', privateKey: pair.privateKey }
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
  aud: subject.appId,
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
const header = { alg: 'ES256', typ: 'JWT', kid: 'key_1' }

// spec L3.6
test('a token contains subject, session, issuer, audience, scope, expiry and key thumbprint', () => {
  expect(verified(minted())).toEqual(claims)
})

test('a host backend verifies a token with jose and the JWKS', async () => {
  const jwk = { ...createPublicKey(pair.privateKey).export({ format: 'jwk' }), kid: 'key_1', alg: 'ES256' }
  const { payload, protectedHeader } = await jwtVerify(minted(), createLocalJWKSet({ keys: [jwk] }), {
    issuer,
    audience: subject.appId,
    algorithms: ['ES256'],
    currentDate: new Date(now * 1_000),
  })
  expect(payload).toEqual(claims)
  expect(protectedHeader).toEqual(header)
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
  expect(verified(signed(header, spoken))).toEqual(spoken)
  expect(verified(signed(header, { ...spoken, lang: 'tlh' }))).toBeUndefined()
  expect(verified(signed(header, { ...spoken, lang: 'constructor' }))).toBeUndefined()
})

test('the key id is read from our own header format only', () => {
  expect(parseKeyId(minted())).toBe('key_1')
  const forged: readonly unknown[] = [
    { ...header, alg: 'none' },
    { ...header, alg: 'HS256' },
    { ...header, alg: 'ES384' },
    { ...header, crit: ['exp'] },
    { ...header, jwk: { kty: 'EC' } },
    { ...header, jku: 'https://attacker.example' },
    { ...header, typ: 'dpop+jwt' },
    { typ: 'JWT', alg: 'ES256', kid: 'key_1' },
    { alg: 'ES256', typ: 'JWT' },
    { ...header, kid: '../key_1' },
    { ...header, kid: 'key_1 ' },
    { ...header, kid: 'k'.repeat(65) },
  ]
  for (const one of forged) expect(parseKeyId(signed(one, claims)), JSON.stringify(one)).toBeUndefined()
})

test('missing claims, a wrong issuer or scope, expired and future tokens are rejected', () => {
  const { sid: _sid, ...withoutSession } = claims
  const { cnf: _cnf, ...withoutKey } = claims
  const walletClaims = { ...claims, scope: 'wallet', vpk: vaultKey, op: step.operation, purpose: 'sign' }
  const { cnf: _device, ...withoutDevice } = walletClaims
  const refused: readonly unknown[] = [
    withoutSession,
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
    walletClaims,
    { ...walletClaims, wallet: null },
    { ...walletClaims, wallet: null, confirmed: { digest: step.confirmed.digest } },
    { ...walletClaims, wallet: null, confirmed: { ...step.confirmed, digest: '0xd1' } },
    { ...walletClaims, wallet: null, confirmed: null, purpose: 'export-it' },
    { ...walletClaims, wallet: null, confirmed: null, op: { id: 'op_1', step: 0 } },
    { ...withoutDevice, wallet: null, confirmed: null },
    { ...claims, aud: [subject.appId] },
    'a text',
    null,
  ]
  for (const one of refused) expect(verified(signed(header, one)), JSON.stringify(one)).toBeUndefined()
  expect(verified(signed(header, claims))).toBeDefined()
  expect(verified(signed(header, { ...walletClaims, wallet: null, confirmed: null }))).toBeDefined()
  // The signing process's clock may be 30 seconds ahead.
  expect(verified(signed(header, { ...claims, iat: now + 30 }))).toBeDefined()
  expect(verified(signed(header, { ...walletClaims, wallet: null, confirmed: null }))).toBeDefined()
})

test('unknown claims of a newer release are ignored, so that both accept each other’s tokens', () => {
  expect(verified(signed(header, { ...claims, newer: 'more' }))).toEqual(claims)
  expect(verified(signed(header, { ...claims, cnf: { jkt: keyThumbprint, newer: 1 } }))).toEqual(claims)
  const ofHost = verified(signed(header, { ...claims, scope: 'host' }))
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
