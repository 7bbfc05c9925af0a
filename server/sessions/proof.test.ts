import { LatchkeyError, sessionLimits } from '@latchkey/protocol'
import { calculateJwkThumbprint } from 'jose'
import { expect, test } from 'vitest'
import { provenKey } from './proof.ts'
import { browserKey, type ProofParts } from './testing/browser-key.ts'

const url = 'https://dialog.example/api/v1/sessions'
const now = 1_800_000_000
const call = { method: 'POST', urls: [url, 'https://wallet.example/api/v1/sessions'], nowSeconds: now }
const browser = browserKey()
const proof = (parts: Partial<ProofParts> = {}) => browser.prove({ url, atSeconds: now, ...parts })

const refusalOf = (text: string) => {
  try {
    provenKey(text, call)
    return undefined
  } catch (error) {
    return error instanceof LatchkeyError ? error.code : error
  }
}

test('a proof names its key by the thumbprint of the standard', async () => {
  const expected = await calculateJwkThumbprint({ kty: 'EC', crv: 'P-256', ...coordinates() }, 'sha256')
  expect(provenKey(proof(), call)).toBe(expected)
})
const coordinates = () => ({ x: browser.jwk.x ?? '', y: browser.jwk.y ?? '' })

test('a client without a proof has no key', () => {
  expect(provenKey(undefined, call)).toBeUndefined()
})

test('a proof of another method, address or time is refused', () => {
  const { proofMaxAgeSeconds, clockSkewSeconds } = sessionLimits
  const others: readonly Partial<ProofParts>[] = [
    { method: 'GET' },
    { url: `${url}/fork` },
    { url: `${url}?a=b` },
    { url: 'https://attacker.example/api/v1/sessions' },
    { atSeconds: now - proofMaxAgeSeconds - clockSkewSeconds },
    { atSeconds: now + clockSkewSeconds },
    { claims: { iat: String(now) } },
    { claims: { jti: '' } },
  ]
  for (const parts of others) expect(refusalOf(proof(parts))).toBe('missing_or_invalid_token')
  expect(refusalOf(proof({ atSeconds: now - proofMaxAgeSeconds }))).toBeUndefined()
})

test('a header of another kind is refused, and so is one that carries a private key', () => {
  for (const header of [
    { typ: 'JWT' },
    { alg: 'none' },
    { alg: 'HS256' },
    { jwk: browser.privateJwk },
    { jwk: { kty: 'oct', k: 'AAAA' } },
    { jwk: { ...browser.jwk, crv: 'P-384' } },
    { jwk: { ...browser.jwk, x: 'A'.repeat(43) } },
    { crit: ['b64'] },
  ]) {
    expect(refusalOf(proof({ header })), JSON.stringify(header)).toBe('missing_or_invalid_token')
  }
})

test('a proof by another key than the one it names, and what is no proof at all, is refused', () => {
  expect(refusalOf(proof({ header: { jwk: browserKey().jwk } }))).toBe('missing_or_invalid_token')
  const [head, payload] = proof().split('.')
  for (const text of [
    '',
    'proof',
    `${head}.${payload}.`,
    `${head}.${payload}.${'A'.repeat(86)}`,
    `${proof()}, ${proof()}`,
  ])
    expect(refusalOf(text)).toBe('missing_or_invalid_token')
})
