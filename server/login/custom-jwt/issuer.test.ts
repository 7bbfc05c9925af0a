/** Verifies tokens signed by jose with in-process keys. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createLocalJWKSet, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { expect, test } from 'vitest'
import { createKeySets, type KeySets, readToken } from './issuer.ts'

const now = 1_800_000_000
const issuer = {
  jwks_url: 'https://login.example/jwks',
  issuer: 'https://login.example',
  audience: 'fieldnotes',
  claim: 'sub',
}

async function signer(alg: string) {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  const jwk = { ...(await exportJWK(publicKey)), alg, kid: 'the-key' }
  const sets: KeySets = { at: () => createLocalJWKSet({ keys: [jwk] }) }
  const sign = (header: object = {}, exp = now + 300) =>
    new SignJWT({ sub: 'user-1' })
      .setProtectedHeader({ alg, kid: 'the-key', ...header })
      .setIssuer(issuer.issuer)
      .setAudience(issuer.audience)
      .setExpirationTime(exp)
      .sign(privateKey, { crit: { 'a-new-rule': true } })
  return { jwk, sign, read: (token: string) => readToken(sets, issuer, token, now * 1_000) }
}
const proven = { type: 'proven', subject: 'user-1' }

test.each(['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'])(
  'accepts a token signed with %s',
  async (alg) => {
    const { sign, read } = await signer(alg)
    expect(await read(await sign())).toEqual(proven)
  },
)

test('accepts a token that expired up to thirty seconds ago', async () => {
  const { sign, read } = await signer('ES256')
  expect(await read(await sign({}, now - 29))).toEqual(proven)
  expect(await read(await sign({}, now - 30))).toEqual({ type: 'refused', reason: 'expired' })
})

test('rejects a token of a key that is not in the set', async () => {
  const { sign, read } = await signer('ES256')
  expect(await read(await sign({ kid: 'another' }))).toEqual({ type: 'refused', reason: 'signature' })
  expect(await read(await sign())).toEqual(proven)
})

test('verifies a token without a key id with any matching key of the set', async () => {
  const [older, newer, other] = await Promise.all([signer('RS256'), signer('RS256'), signer('RS256')])
  const keys = [
    { ...older.jwk, kid: 'older' },
    { ...newer.jwk, kid: 'newer' },
  ]
  const sets: KeySets = { at: () => createLocalJWKSet({ keys }) }
  const read = (token: string) => readToken(sets, issuer, token, now * 1_000)
  const unnamed = { kid: undefined }
  expect(await read(await older.sign(unnamed))).toEqual(proven)
  expect(await read(await newer.sign(unnamed))).toEqual(proven)
  expect(await read(await newer.sign(unnamed, now - 30))).toEqual({ type: 'refused', reason: 'expired' })
  expect(await read(await other.sign(unnamed))).toEqual({ type: 'refused', reason: 'signature' })
})

test('reports a token with an unknown critical header as malformed', async () => {
  const { sign, read } = await signer('ES256')
  const malformed = { type: 'refused', reason: 'malformed' }
  expect(await read(await sign({ crit: ['a-new-rule'], 'a-new-rule': 1 }))).toEqual(malformed)
  expect(await read(await sign())).toEqual(proven)
})

test('rejects a token that expires in more than a day', async () => {
  const { sign, read } = await signer('ES256')
  expect(await read(await sign({}, now + 86_400))).toEqual(proven)
  expect(await read(await sign({}, now + 86_500))).toEqual({ type: 'refused', reason: 'claim', claim: 'exp' })
})

test('caches the key sets of up to a thousand URLs', () => {
  const sets = createKeySets()
  const at = (index: number) => sets.at(`https://login.example/${index}`)
  const first = at(0)
  for (let index = 1; index < 1_000; index += 1) expect(at(index)).not.toBe(first)
  expect(at(0)).toBe(first)
  at(1_000)
  expect(at(0)).not.toBe(first)
})

// Otherwise an attacker who can place a redirect could inject keys.
test('fetches keys from the configured URL only, without redirects', async () => {
  const { jwk, sign } = await signer('ES256')
  const server = createServer((request, response) => {
    if (request.url === '/moved') response.writeHead(302, { location: '/jwks' }).end()
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ keys: [jwk] }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const read = async (path: string) =>
    readToken(
      createKeySets(),
      { ...issuer, jwks_url: `http://127.0.0.1:${port}${path}` },
      await sign(),
      now * 1_000,
    )
  try {
    await expect(read('/moved')).rejects.toThrow('fetch failed')
    expect(await read('/jwks')).toEqual(proven)
  } finally {
    server.close()
  }
})
