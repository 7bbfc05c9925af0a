import { SignJWT, UnsecuredJWT } from 'jose'
import { expect, test } from 'vitest'
import { appId, createIssuer, issuer, type TokenChanges } from '../testing/issuer.ts'

test('a token contains its user, app and session, and the times of issue and expiry', async () => {
  const { latchkey, token, startMs } = await createIssuer()
  expect(await latchkey.verifyAccessToken(await token())).toEqual({
    userId: 'user-1',
    appId,
    sessionId: 'session-1',
    issuedAt: new Date(startMs),
    expiresAt: new Date(startMs + 900_000),
  })
})

test.each([
  ['for another app', { aud: 'lkapp00000000000000000002' }, 'wrong_audience'],
  ['for several apps', { aud: [appId, 'other'] }, 'malformed_token'],
  ['of another issuer', { iss: 'https://dialog.example.evil' }, 'wrong_issuer'],
  ['without a user', { sub: undefined }, 'malformed_token'],
  ['without a session', { sid: undefined }, 'malformed_token'],
  ['without an expiry', { exp: undefined }, 'malformed_token'],
] satisfies [string, TokenChanges, string][])('a token %s is refused', async (_what, changes, code) => {
  const { latchkey, token } = await createIssuer()
  await expect(latchkey.verifyAccessToken(await token(changes))).rejects.toMatchObject({ code, status: 401 })
})

test.each([
  ['a dialog token', { aud: issuer, scope: 'dialog' }, 'latchkey-dialog+jwt', 'wrong_scope'],
  ['a wallet token', { aud: issuer, scope: 'wallet' }, 'latchkey-wallet+jwt', 'wrong_scope'],
  [
    'a dialog token with the audience of a host token',
    { scope: 'dialog' },
    'latchkey-dialog+jwt',
    'wrong_scope',
  ],
  [
    'a dialog token with the type of a host token',
    { aud: issuer, scope: 'dialog' },
    'at+jwt',
    'wrong_audience',
  ],
  ['a session proof', {}, 'dpop+jwt', 'wrong_scope'],
  ['an ID token, which has no type', {}, undefined, 'wrong_scope'],
] satisfies [string, TokenChanges, string | undefined, string][])(
  '%s is refused',
  async (_what, changes, typ, code) => {
    const { latchkey, token } = await createIssuer()
    await expect(latchkey.verifyAccessToken(await token(changes, { header: { typ } }))).rejects.toMatchObject(
      { code, status: 401 },
    )
  },
)

test('a token is valid until it expires, plus 5 seconds for clock differences', async () => {
  const { latchkey, token, pass } = await createIssuer()
  const text = await token()
  pass(904)
  expect(await latchkey.verifyAccessToken(text)).toMatchObject({ userId: 'user-1' })
  pass(1)
  await expect(latchkey.verifyAccessToken(text)).rejects.toMatchObject({ code: 'token_expired' })
})

test('a token from the future is rejected, with a tolerance of 5 seconds', async () => {
  const { latchkey, token, startMs } = await createIssuer()
  const at = (seconds: number) => token({ iat: startMs / 1_000 + seconds })
  expect(await latchkey.verifyAccessToken(await at(5))).toMatchObject({ userId: 'user-1' })
  await expect(latchkey.verifyAccessToken(await at(6))).rejects.toMatchObject({ code: 'malformed_token' })
})

test('a modified token is rejected', async () => {
  const { latchkey, token } = await createIssuer()
  const [header, , signature] = (await token()).split('.')
  const [, payload] = (await token({ sub: 'user-2' })).split('.')
  await expect(latchkey.verifyAccessToken([header, payload, signature].join('.'))).rejects.toMatchObject({
    code: 'invalid_signature',
  })
})

test('a token cannot choose its algorithm', async () => {
  const { latchkey, startMs } = await createIssuer()
  const claims = { scope: 'host', sid: 'session-1' }
  const unsecured = new UnsecuredJWT(claims)
    .setIssuer(issuer)
    .setAudience(appId)
    .setSubject('user-1')
    .setIssuedAt(startMs / 1_000)
    .setExpirationTime(startMs / 1_000 + 900)
    .encode()
  const symmetric = await new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid: 'first' })
    .setIssuer(issuer)
    .setAudience(appId)
    .sign(new TextEncoder().encode('the public key is no secret, 32 bytes'))
  for (const token of [unsecured, symmetric])
    await expect(latchkey.verifyAccessToken(token)).rejects.toMatchObject({ code: 'malformed_token' })
})

test.each(['x', 'a.b.c', '..', 'a'.repeat(4_097)])('an invalid token is rejected: %.10s', async (text) => {
  const { latchkey } = await createIssuer()
  await expect(latchkey.verifyAccessToken(text)).rejects.toMatchObject({
    code: 'malformed_token',
    status: 401,
  })
})

test('a missing token has another code than an invalid one', async () => {
  const { latchkey } = await createIssuer()
  await expect(latchkey.verifyAccessToken('')).rejects.toMatchObject({
    code: 'missing_token',
    message: 'Missing header "Authorization: Bearer <access token>"',
  })
})
