/** Verifies host tokens like a host backend, without our code. */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createRemoteJWKSet, customFetch, jwtVerify } from 'jose'
import { describe, expect, test } from 'vitest'
import { forDefaultEngine } from '../../../kernel/db/test-engines.ts'
import { signEs256 } from '../../../kernel/keys/keys.ts'
import { rotateServerKey } from '../../../kernel/keys/rotation.ts'
import { testApp, testContext } from '../../../testing/context.ts'
import { testBrowser, testServer } from '../testing/browser.ts'
import { mintToken, type TokenKind } from './token.ts'

const repository = join(import.meta.dirname, '../../../..')

type Host = {
  issuer: string
  appId: string
  now: Date
  fetch: typeof fetch
}

function createVerifier({ issuer, appId, now, fetch }: Host) {
  // The complete code of a backend, except for the test's clock and fetch.
  const keys = createRemoteJWKSet(new URL('/.well-known/jwks.json', issuer), {
    [customFetch]: fetch,
    cooldownDuration: 0,
  })
  return async function verifyAccessToken(token: string) {
    const { payload } = await jwtVerify(token, keys, {
      issuer,
      audience: appId,
      algorithms: ['ES256'],
      typ: 'at+jwt',
      currentDate: now,
    })
    return { userId: payload.sub, sessionId: payload.sid }
  }
}

forDefaultEngine((database) => {
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

  test('a host token identifies its user to a backend', async () => {
    const { browser, verifierAt } = await open()
    const { user, host_token } = await browser.login()
    expect(await verifierAt(0)(host_token)).toMatchObject({ userId: user.id })
  })

  test('an expired, modified or foreign token is rejected', async () => {
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

  test('tokens of the old and the new key verify during a key rotation', async () => {
    const { context, browser, verifierAt } = await open()
    await rotateServerKey(
      'signing',
      { database: database(), kms: context.kms, clock: context.clock },
      { atOnce: false },
    )
    await context.keyring.refresh()
    // One second before the new key signs, then after.
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

  describe('the printed code for a backend', () => {
    /** The printed code with a test's addresses and app. */
    function readSample(replacements: Readonly<Record<string, string>>): string {
      const page = readFileSync(join(repository, 'docs/backend.md'), 'utf8')
      const [, sample = ''] = /```js\n(import \{ createRemoteJWKSet.*?)```/s.exec(page) ?? []
      return Object.entries(replacements).reduce((code, [from, to]) => {
        expect(code).toContain(from)
        return code.replaceAll(from, to)
      }, sample)
    }

    /** Runs the code once. Returns the user id or the error message for each token. */
    async function runSample(code: string, tokens: Readonly<Record<string, string>>): Promise<unknown> {
      const script = `${code}
        const results = {}
        for (const [name, token] of Object.entries(JSON.parse(process.argv[1])))
          results[name] = await verifyAccessToken(token).catch((error) => error.message)
        console.log(JSON.stringify(results))`
      const args = ['--input-type=module', '--eval', script, '--', JSON.stringify(tokens)]
      const { stdout } = await promisify(execFile)(process.execPath, args, {
        cwd: join(repository, 'server'),
      })
      return JSON.parse(stdout)
    }

    test('the printed code accepts the host token, and rejects every other token', async () => {
      const { context, app } = await open()
      const { clock, keyring, config } = context
      // The printed code uses the system clock.
      clock.advanceSeconds(Math.floor((Date.now() - clock.nowMs()) / 1_000))
      const server = testServer(context)
      const keys = createServer(async (request, response) => {
        const { host } = new URL(config.issuer)
        const answer = await server.request(request.url ?? '', { headers: { host } })
        response.setHeader('content-type', 'application/json').end(await answer.text())
      }).listen(0, '127.0.0.1')
      await once(keys, 'listening')
      try {
        const code = readSample({
          'http://dialog.localhost:4000': config.issuer,
          'http://127.0.0.1:4000/': `http://127.0.0.1:${(keys.address() as AddressInfo).port}/`,
          YOUR_APP_ID: app.id,
        })
        const key = keyring.signingKey()
        const nowSeconds = Math.floor(clock.nowMs() / 1_000)
        const mint = (kind: TokenKind, { appId = app.id, issuer = config.issuer, at = nowSeconds } = {}) =>
          mintToken(key, issuer, { appId, userId: 'usr_ada', sessionId: 'ses_1' }, kind, at)
        const host = mint({ scope: 'host' })
        const [header = '', claims = '', signature = ''] = host.split('.')
        const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
        const decode = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
        const signAs = (changes: object) => {
          const text = `${encode({ ...decode(header), ...changes })}.${claims}`
          return `${text}.${signEs256(key.privateKey, text).toString('base64url')}`
        }
        const keyThumbprint = 'k'.repeat(43)
        const step = {
          vaultKey: 'B'.repeat(87),
          operation: { id: 'op_1', step: 2 },
          purpose: 'sign',
          walletId: 'wal_1',
          confirmed: null,
        } as const
        const results = await runSample(code, {
          host,
          dialog: mint({ scope: 'dialog', keyThumbprint }),
          wallet: mint({ scope: 'wallet', step, keyThumbprint, language: 'en' }),
          expired: mint({ scope: 'host' }, { at: nowSeconds - 900 }),
          'of another app': mint({ scope: 'host' }, { appId: 'b'.repeat(25) }),
          'of another issuer': mint({ scope: 'host' }, { issuer: `${config.issuer}/apps/${app.id}/openid` }),
          unsigned: `${encode({ ...decode(header), alg: 'none' })}.${claims}.`,
          modified: `${header}.${encode({ ...decode(claims), sub: 'usr_2' })}.${signature}`,
          'of another key': signAs({ kid: 'unknown' }),
          // ID tokens of the OpenID provider have the same key and no type.
          'without a type': signAs({ typ: undefined }),
          'with the type of release 0.1.0': signAs({ typ: 'JWT' }),
        })
        const wrongType = 'unexpected "typ" JWT header value'
        expect(results).toEqual({
          host: 'usr_ada',
          dialog: wrongType,
          wallet: wrongType,
          expired: '"exp" claim timestamp check failed',
          'of another app': 'unexpected "aud" claim value',
          'of another issuer': 'unexpected "iss" claim value',
          unsigned: '"alg" (Algorithm) Header Parameter value not allowed',
          modified: 'signature verification failed',
          'of another key': 'no applicable key found in the JSON Web Key Set',
          'without a type': wrongType,
          'with the type of release 0.1.0': wrongType,
        })
      } finally {
        keys.close()
      }
    })
  })
})
