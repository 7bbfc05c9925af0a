import { createPublicKey, verify } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../sandbox.ts'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startSandbox({ host: '127.0.0.1', httpPort: 0, smtpPort: 0, chainPort: 'off' })
})
afterAll(() => sandbox.stop())
afterEach(() => post('/api/faults', { issuer: 'none' }))

const at = (path: string) => `http://127.0.0.1:${new URL(sandbox.httpUrl).port}${path}`
const post = (path: string, body: unknown) =>
  fetch(at(path), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

const isSignedByJwks = async (token: string) => {
  const { keys } = await (await fetch(at('/issuer/jwks.json'))).json()
  const [header, payload, signature = ''] = token.split('.')
  const key = createPublicKey({ format: 'jwk', key: keys[0] })
  return verify('sha256', Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, 'base64url'))
}

test('a token has the given claims, and a published signature unless wrongly is set', async () => {
  const { token } = await (await post('/api/issuer/tokens', { sub: 'user-1' })).json()
  expect(JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString())).toEqual({ sub: 'user-1' })
  expect(await isSignedByJwks(token)).toBe(true)
  const wrong = await (await post('/api/issuer/tokens?wrongly', { sub: 'user-1' })).json()
  expect(await isSignedByJwks(wrong.token)).toBe(false)
  expect((await post('/api/issuer/tokens', 'user-1')).status).toBe(400)
})

test('a failing JWKS endpoint responds with 500', async () => {
  await post('/api/faults', { issuer: 'failing' })
  expect((await fetch(at('/issuer/jwks.json'))).status).toBe(500)
})
