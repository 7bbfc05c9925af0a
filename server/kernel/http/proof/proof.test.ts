import { LatchkeyError } from '@latchkey/protocol'
import { calculateJwkThumbprint } from 'jose'
import { expect, test } from 'vitest'
import { browserKey, type ProofParts } from '../../../identity/sessions/testing/browser-key.ts'
import { assertProofOfToken, type ProvenCall, proofHash, readProof } from './proof.ts'

const url = 'https://dialog.example/api/v1/sessions'
const now = 1_800_000_000
const body = '{"a":"é"}'
const call: ProvenCall = {
  method: 'POST',
  url,
  body,
  requestId: { mustBe: 'request-1' },
  nowSeconds: now,
}
const browser = browserKey()
const right = { url, atSeconds: now, body, requestId: 'request-1' } as const
const proof = (parts: Partial<ProofParts> = {}) => browser.prove({ ...right, ...parts })

const getRefusal = (work: () => unknown) => {
  try {
    work()
    return undefined
  } catch (error) {
    return error instanceof LatchkeyError && error.code === 'missing_or_invalid_token' ? error.details : error
  }
}
const reason = (text: string | undefined, of: ProvenCall = call) => getRefusal(() => readProof(text, of))

test('identifies the key of a proof by its RFC 7638 thumbprint', async () => {
  const { x = '', y = '' } = browser.jwk
  const expected = await calculateJwkThumbprint({ kty: 'EC', crv: 'P-256', x, y }, 'sha256')
  expect(readProof(proof(), call).key).toBe(expected)
})

test.each<[string, Partial<ProofParts>]>([
  ['proof_of_another_method', { method: 'GET' }],
  ['proof_of_another_url', { url: `${url}/fork` }],
  ['proof_of_another_url', { url: `${url}?a=b` }],
  ['proof_of_another_url', { url: 'https://wallet.example/api/v1/sessions' }],
  ['proof_of_another_body', { body: '{"a":"e"}' }],
  ['proof_of_another_body', { body: '' }],
  ['proof_of_another_request', { requestId: 'request-2' }],
  ['proof_malformed', { requestId: '' }],
  ['proof_malformed', { claims: { iat: String(now) } }],
  ['proof_malformed', { claims: { bth: undefined } }],
  ['proof_malformed', { claims: { rtc: '1' } }],
  ['proof_malformed', { claims: { ath: 'short' } }],
  ['proof_malformed', { claims: { ath: 'A'.repeat(44) } }],
  ['proof_malformed', { claims: { bth: 'A'.repeat(44) } }],
  ['proof_malformed', { header: { jwk: { ...browser.jwk, x: 'A'.repeat(44) } } }],
  ['proof_not_signed', { header: { jwk: { ...browser.jwk, x: 'A'.repeat(43) } } }],
])('%s is reported for a proof with %j', (expected, parts) => {
  expect(reason(proof(parts))).toEqual({ reason: expected })
  expect(reason(proof())).toBeUndefined()
})

test('a proof is valid for 60 seconds, with a clock skew of 30', () => {
  const stale = { reason: 'proof_stale' }
  expect(reason(proof({ atSeconds: now - 89 }))).toBeUndefined()
  expect(reason(proof({ atSeconds: now - 90 }))).toEqual(stale)
  expect(reason(proof({ atSeconds: now + 29 }))).toBeUndefined()
  expect(reason(proof({ atSeconds: now + 30 }))).toEqual(stale)
})

test('a read accepts a proof with any request id, a change only one with its own', () => {
  expect(reason(proof({ requestId: 'anything' }), { ...call, requestId: 'any' })).toBeUndefined()
  expect(reason(proof(), { ...call, requestId: { mustBe: undefined } })).toEqual({
    reason: 'proof_of_another_request',
  })
})

test('a proof is valid for its own token only', () => {
  const named = readProof(proof({ token: 'token 1' }), call)
  expect(getRefusal(() => assertProofOfToken(named, 'token 1'))).toBeUndefined()
  for (const other of [named, readProof(proof(), call)])
    expect(getRefusal(() => assertProofOfToken(other, 'token 2'))).toEqual({
      reason: 'proof_of_another_token',
    })
})

test('a proof hash is the base64url SHA-256', () => {
  expect(proofHash('')).toBe('47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU')
})

test('rejects other JWS headers and keys with a private part', () => {
  for (const header of [
    { typ: 'JWT' },
    { alg: 'none' },
    { alg: 'HS256' },
    { jwk: browser.privateJwk },
    { jwk: { kty: 'oct', k: 'AAAA' } },
    { jwk: { ...browser.jwk, crv: 'P-384' } },
    { crit: ['b64'] },
  ]) {
    expect(reason(proof({ header })), JSON.stringify(header)).toEqual({ reason: 'proof_malformed' })
  }
})

test('accepts one encoding per key, so that it has one thumbprint', () => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const { jwk } = browser
  for (const name of ['x', 'y'] as const) {
    const value = jwk[name] ?? ''
    const last = alphabet.indexOf(value.slice(-1))
    const spellings = [1, 2, 3].map((unused) => value.slice(0, -1) + alphabet[last + unused])
    for (const spelling of spellings) {
      expect(Buffer.from(spelling, 'base64url')).toEqual(Buffer.from(value, 'base64url'))
      expect(reason(proof({ header: { jwk: { ...jwk, [name]: spelling } } }))).toEqual({
        reason: 'proof_malformed',
      })
    }
    for (const wrong of [`${value}=`, `${value} `, value.slice(0, -1), `A${value}`]) {
      expect(reason(proof({ header: { jwk: { ...jwk, [name]: wrong } } }))).toEqual({
        reason: 'proof_malformed',
      })
    }
  }
})

test('accepts the optional members of a key with the right values only', () => {
  const { jwk } = browser
  const members = { ext: true, key_ops: ['verify'], alg: 'ES256', use: 'sig' }
  expect(reason(proof({ header: { jwk: { ...jwk, ...members } } }))).toBeUndefined()
  for (const wrong of [{ alg: 'ES384' }, { use: 'enc' }, { kid: 'another' }])
    expect(reason(proof({ header: { jwk: { ...jwk, ...wrong } } }))).toEqual({ reason: 'proof_malformed' })
})

test('a proof id has 8 to 128 characters', () => {
  const withId = (length: number) => {
    const requestId = 'r'.repeat(length)
    return reason(proof({ requestId }), { ...call, requestId: { mustBe: requestId } })
  }
  for (const length of [8, 128]) expect(withId(length)).toBeUndefined()
  for (const length of [7, 129]) expect(withId(length)).toEqual({ reason: 'proof_malformed' })
})

test('rejects a proof that another key signed, and malformed or missing proofs', () => {
  const notSigned = { reason: 'proof_not_signed' }
  expect(reason(proof({ header: { jwk: browserKey().jwk } }))).toEqual(notSigned)
  expect(reason(proof({ header: { jwk: { ...browser.jwk, x: 'A'.repeat(43) } } }))).toEqual(notSigned)
  const [head, payload] = proof().split('.')
  expect(reason(`${head}.${payload}.${'A'.repeat(86)}`)).toEqual(notSigned)
  for (const text of ['', 'proof', `${head}.${payload}.`, `${proof()}, ${proof()}`])
    expect(reason(text)).toEqual({ reason: 'proof_malformed' })
  expect(reason(undefined)).toEqual({ reason: 'proof_missing' })
})
