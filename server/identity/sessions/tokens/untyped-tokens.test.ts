/** Two releases during a rolling upgrade. Delete with `kernel/keys/untyped-tokens.ts`. */
import { sign } from 'node:crypto'
import { expect, test } from 'vitest'
import { forDefaultEngine } from '../../../kernel/db/test-engines.ts'
import { rotateServerKey } from '../../../kernel/keys/rotation.ts'
import { removeRunningServer, updateRunningServer } from '../../../kernel/keys/running-servers.ts'
import { nowSeconds } from '../../../kernel/ports.ts'
import { testApp, testContext } from '../../../testing/context.ts'
import { testBrowser, testServer } from '../testing/browser.ts'
import { createTokenVerifier } from './verifier.ts'

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const decode = (segment = '') => JSON.parse(Buffer.from(segment, 'base64url').toString())
const readToken = (token: string) => token.split('.').slice(0, 2).map(decode)

forDefaultEngine((database) => {
  const open = async () => {
    const context = await testContext(database(), {
      verifyToken: (own) => (token, of) => createTokenVerifier(own())(token, of),
    })
    const app = await testApp(context)
    const browser = testBrowser(testServer(context), context, app)
    const { clock, db, kms, keyring } = context
    const rotate = async (atOnce: boolean) => {
      const id = await rotateServerKey('signing', { database: database(), kms, clock }, { atOnce })
      await keyring.refresh()
      return id
    }
    const run = (name: string, keys: string[]) =>
      updateRunningServer(db, { id: name, name, keys }, nowSeconds(clock))
    const stop = (name: string) => removeRunningServer(db, name)
    /** Signs what a server signs that uses this database. */
    const signToken = (typ: string, claims: object) => {
      const { id, privateKey } = keyring.signingKey()
      const text = `${encode({ alg: 'ES256', typ, kid: id })}.${encode(claims)}`
      const signature = sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' })
      return `${text}.${signature.toString('base64url')}`
    }
    return { context, app, browser, rotate, run, stop, signToken }
  }

  test('tokens stay untyped while a server of release 0.1.0 runs, and become typed with the next key', async () => {
    const { context, app, browser, rotate, run, stop } = await open()
    const issued = async () => {
      const { token, host_token } = await browser.login()
      return { token, forms: [token, host_token].map(readToken) }
    }
    await run('of 0.1.0', ['a master key', 'pepper'])
    await run('of this release', ['a master key', 'pepper', 'typed-tokens'])
    const first = await rotate(true)
    const before = await issued()
    const header = { alg: 'ES256', typ: 'JWT', kid: first }
    const identity = {
      iss: context.config.issuer,
      aud: app.id,
      sub: expect.any(String),
      sid: expect.any(String),
    }
    const times = { iat: nowSeconds(context.clock), exp: nowSeconds(context.clock) + 900 }
    // Exactly the form of 0.1.0, because that release rejects additions.
    expect(before.forms).toEqual([
      [header, { ...identity, scope: 'dialog', ...times, cnf: { jkt: browser.key.thumbprint } }],
      [header, { ...identity, scope: 'host', ...times }],
    ])

    await stop('of 0.1.0')
    const next = await rotate(false)
    context.clock.advanceSeconds(1_199)
    const last = await issued()
    expect(last.forms.map(([header]) => header)).toMatchObject([{ typ: 'JWT' }, { typ: 'JWT' }])
    context.clock.advanceSeconds(1)
    expect((await issued()).forms).toMatchObject([
      [
        { typ: 'latchkey-dialog+jwt', kid: next },
        { aud: context.config.issuer, client_id: app.id },
      ],
      [
        { typ: 'at+jwt', kid: next },
        { aud: app.id, client_id: app.id },
      ],
    ])
    // A browser may hold an untyped token for 15 minutes.
    expect(await browser.call('me', { token: last.token })).toMatchObject({ status: 200 })
  })

  test('the server accepts each kind of token that release 0.1.0 signed, for the same calls', async () => {
    const { context, app, browser, rotate, run, signToken } = await open()
    await run('of 0.1.0', ['a master key', 'pepper'])
    await rotate(true)
    const { token, user } = await browser.login()
    const [, { sid }] = readToken(token)
    const now = nowSeconds(context.clock)
    const identity = { iss: context.config.issuer, aud: app.id, sub: user.id, sid, iat: now, exp: now + 60 }
    const cnf = { jkt: browser.key.thumbprint }
    const dialog = { ...identity, scope: 'dialog', cnf }
    const host = { ...identity, scope: 'host' }
    const wallet = {
      ...identity,
      scope: 'wallet',
      cnf: { jkt: browser.device.thumbprint },
      vpk: 'B'.repeat(87),
      op: { id: 'op_1', step: 1 },
      purpose: 'create',
      wallet: null,
      confirmed: null,
    }
    const statuses = async (name: 'me' | 'activity' | 'beginWallet') => {
      const tokens = [host, dialog, wallet].map((claims) => signToken('JWT', claims))
      const body = name === 'beginWallet' ? { chain_type: 'ethereum' } : {}
      return Promise.all(tokens.map(async (token) => (await browser.call(name, { token, body })).status))
    }
    expect(await statuses('me')).toEqual([200, 200, 403])
    expect(await statuses('activity')).toEqual([403, 200, 403])
    expect(await statuses('beginWallet')).toEqual([403, 403, 200])
    // The key of that release signs no other form.
    const typed = signToken('at+jwt', { ...host, client_id: app.id })
    expect(await browser.call('me', { token: typed })).toMatchObject({ status: 401 })
  })

  test('a key of this release signs no untyped token', async () => {
    const { context, app, browser, signToken } = await open()
    const { host_token } = await browser.login()
    const [, { client_id: _app, jti: _id, ...claims }] = readToken(host_token)
    expect(claims).toMatchObject({ iss: context.config.issuer, aud: app.id, scope: 'host' })
    expect(await browser.call('me', { token: signToken('JWT', claims) })).toMatchObject({ status: 401 })
  })
})
