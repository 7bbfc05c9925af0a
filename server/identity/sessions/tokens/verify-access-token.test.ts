/** How a host's backend knows its user, with nothing of ours. */
import { createRemoteJWKSet, customFetch, jwtVerify } from 'jose'
import { expect, test } from 'vitest'
import { forEachEngine } from '../../../kernel/db/test-engines.ts'
import { rotateServerKey } from '../../../kernel/keys/rotation.ts'
import { testApp, testContext } from '../../../testing/context.ts'
import { testBrowser, testServer } from '../testing/browser.ts'

type Host = {
  readonly issuer: string
  readonly appId: string
  readonly now: Date
  readonly fetch: typeof fetch
}

function createVerifier({ issuer, appId, now, fetch }: Host) {
  // What follows is all that a backend needs (but for the clock and the socket, which are this test's).
  const keys = createRemoteJWKSet(new URL('/.well-known/jwks.json', issuer), {
    [customFetch]: fetch,
    cooldownDuration: 0,
  })
  return async function verifyAccessToken(token: string) {
    const { payload } = await jwtVerify(token, keys, {
      issuer,
      audience: appId,
      algorithms: ['ES256'],
      currentDate: now,
    })
    return { userId: payload.sub, sessionId: payload.sid }
  }
}

forEachEngine((database) => {
  const open = async () => {
    const context = await testContext(database())
    const app = await testApp(context)
    const server = testServer(context)
    const browser = testBrowser(server, context, app)
    const { issuer } = context.config
    const fetch: Host['fetch'] = async (url) =>
      server.request(String(url), { headers: { host: new URL(issuer).host } })
    const verifierAt = (seconds: number) => {
      const now = new Date(context.clock.nowMs() + seconds * 1_000)
      return createVerifier({ issuer, appId: app.id, now, fetch })
    }
    return { context, browser, verifierAt, app }
  }

  test('a host token names its user to a backend', async () => {
    const { browser, verifierAt } = await open()
    const { user, host_token } = await browser.login()
    expect(await verifierAt(0)(host_token)).toMatchObject({ userId: user.id })
  })

  test('a token that has expired, was changed, or is of another app is refused', async () => {
    const { context, browser, verifierAt } = await open()
    const { host_token } = await browser.login()
    await expect(verifierAt(15 * 60)(host_token)).rejects.toThrow('exp')
    const [head, payload = '', signature] = host_token.split('.')
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
    const forged = Buffer.from(JSON.stringify({ ...claims, sub: 'somebody else' })).toString('base64url')
    await expect(verifierAt(0)(`${head}.${forged}.${signature}`)).rejects.toThrow('signature')
    const other = testBrowser(testServer(context), context, await testApp(context))
    const { host_token: others } = await other.login()
    await expect(verifierAt(0)(others)).rejects.toThrow('aud')
  })

  test('a rotation is noticed by nobody: tokens of the old key and of the new verify', async () => {
    const { context, browser, verifierAt } = await open()
    await rotateServerKey(
      'signing',
      { database: database(), kms: context.kms, clock: context.clock },
      { atOnce: false },
    )
    await context.keyring.refresh()
    // A second before the new key signs, and then it does.
    context.clock.advanceSeconds(1_199)
    const before = await browser.login()
    context.clock.advanceSeconds(1)
    const after = await browser.login('grace@example.com')
    const kid = (token: string) => Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()
    expect(kid(after.host_token)).not.toBe(kid(before.host_token))
    const verifyAccessToken = verifierAt(0)
    expect(await verifyAccessToken(before.host_token)).toMatchObject({ userId: before.user.id })
    expect(await verifyAccessToken(after.host_token)).toMatchObject({ userId: after.user.id })
  })
})
