import { expect, test } from 'vitest'
import { createIssuer, issuer } from '../testing/issuer.ts'

test('the keys are fetched once, from the issuer, with the first token', async () => {
  const { latchkey, token, fetched } = await createIssuer()
  expect(fetched).toEqual([])
  await Promise.all([await token(), await token()].map(latchkey.verifyAccessToken))
  await latchkey.verifyAccessToken(await token())
  expect(fetched).toEqual([`${issuer}/.well-known/jwks.json`])
})

test.each([
  ['max-age=300', { 'cache-control': 'public, max-age=300' }, 300],
  ['max-age=60 after 20 seconds in a cache', { 'cache-control': 'max-age=60', age: '20' }, 40],
  ['no header', {}, 300],
  ['no-store', { 'cache-control': 'no-store' }, 5],
  ['max-age=0', { 'cache-control': 'max-age=0' }, 5],
  ['a year', { 'cache-control': 'max-age=31536000' }, 86_400],
])('with %s the keys are cached for the resulting time', async (_what, headers, seconds) => {
  const { latchkey, token, fetched, serveWith, pass } = await createIssuer()
  serveWith(headers)
  await latchkey.verifyAccessToken(await token())
  pass(seconds - 1)
  await latchkey.verifyAccessToken(await token())
  expect(fetched).toHaveLength(1)
  pass(1)
  await latchkey.verifyAccessToken(await token())
  expect(fetched).toHaveLength(2)
})

test('an unknown key fetches the keys again, at most once in 5 seconds', async () => {
  const { latchkey, token, fetched, addKey, pass } = await createIssuer()
  await latchkey.verifyAccessToken(await token())
  await addKey('second')
  await addKey('unpublished', { publish: false })
  await expect(latchkey.verifyAccessToken(await token({}, { kid: 'second' }))).rejects.toMatchObject({
    code: 'invalid_signature',
  })
  expect(fetched).toHaveLength(1)
  pass(5)
  expect(await latchkey.verifyAccessToken(await token({}, { kid: 'second' }))).toMatchObject({
    userId: 'user-1',
  })
  for (let tries = 0; tries < 10; tries++)
    await expect(latchkey.verifyAccessToken(await token({}, { kid: 'unpublished' }))).rejects.toMatchObject({
      code: 'invalid_signature',
    })
  expect(fetched).toHaveLength(2)
})

test.each([
  ['fails', new Error('ECONNREFUSED')],
  ['responds with 500', new Response('', { status: 500 })],
  ['redirects', new Response('', { status: 302, headers: { location: 'https://evil.example/' } })],
  ['responds without keys', Response.json({ keys: 'none' })],
])('an issuer that %s leads to 503, and the token is valid again afterwards', async (_what, failure) => {
  const { latchkey, token, fail } = await createIssuer()
  fail(failure)
  await expect(latchkey.verifyAccessToken(await token())).rejects.toMatchObject({
    code: 'keys_unavailable',
    status: 503,
  })
  fail(undefined)
  expect(await latchkey.verifyAccessToken(await token())).toMatchObject({ userId: 'user-1' })
})

test('expired keys that cannot be fetched are used 10 minutes longer, with a retry every 5 seconds', async () => {
  const { latchkey, token, fetched, fail, pass } = await createIssuer()
  await latchkey.verifyAccessToken(await token())
  fail(new Error('ECONNREFUSED'))
  pass(300)
  await latchkey.verifyAccessToken(await token())
  await latchkey.verifyAccessToken(await token())
  expect(fetched).toHaveLength(2)
  pass(599)
  await latchkey.verifyAccessToken(await token())
  expect(fetched).toHaveLength(3)
  pass(1)
  await expect(latchkey.verifyAccessToken(await token())).rejects.toMatchObject({ code: 'keys_unavailable' })
})
