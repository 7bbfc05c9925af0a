/** Tests the device key of a session over HTTP: how it is bound, and that no other key is accepted. */
import { randomBytes } from 'node:crypto'
import * as v from 'valibot'
import { beforeEach, expect, test } from 'vitest'
import { forEachEngine } from '../../kernel/db/test-engines.ts'
import { type TestContext, testApp, testContext } from '../../testing/context.ts'
import { testVault } from '../../wallet/wallets/testing/vault.ts'
import type { App } from '../apps/apps.ts'
import { bindDevice, deriveDeviceSecret } from './device.ts'
import { requireLivingSession } from './grant.ts'
import { forkInto, type TestBrowser, testBrowser, testServer } from './testing/browser.ts'
import { createTokenVerifier } from './tokens/verifier.ts'

const refused = (code: string, reason?: string) => ({
  status: code === 'invalid_data' ? 422 : 403,
  answer: { code, ...(reason !== undefined && { details: { reason } }) },
})
const notBound = refused('device_not_bound')
const loginAnswer = v.looseObject({ token: v.string(), device_secret: v.optional(v.string()) })

forEachEngine((database) => {
  let context: TestContext
  let browser: TestBrowser
  let newBrowser: () => TestBrowser
  let vaultKey: string
  let app: App
  beforeEach(async () => {
    context = await testContext(database(), {
      verifyToken: (own) => (token, of) => createTokenVerifier(own())(token, of),
    })
    const server = testServer(context)
    app = await testApp(context)
    newBrowser = () => testBrowser(server, context, app)
    browser = newBrowser()
    vaultKey = (await testVault()).publicKey
  })

  const logIn = async (by = browser, options: { stated?: object | 'none'; vault?: object } = {}) => {
    const email = 'ada@example.com'
    const code = await by.codeFor(email)
    const { vault, stated } = options
    const body = { email, code, ...(vault && { vault }) }
    return by.call('loginWithEmailCode', { body, ...(stated !== undefined && { statement: stated }) })
  }
  const loggedIn = async (...given: Parameters<typeof logIn>) => {
    const { token, device_secret: secret = '' } = v.parse(loginAnswer, (await logIn(...given)).answer)
    return { token, secret }
  }
  const stepOf = (change: object = {}) => ({
    public_key: vaultKey,
    operation: { id: `op_${randomBytes(6).toString('hex')}`, step: 1 },
    purpose: 'create',
    address: null,
    confirmation: null,
    ...change,
  })
  const ask = (token: string, options: { statement?: object | 'none' } = {}, by = browser, body = stepOf()) =>
    by.call('walletToken', { token, body, ...options })

  test('a login with a device statement binds the device, and tokens are created for its statements', async () => {
    const answered = await logIn()
    expect(answered.answer).not.toHaveProperty('device_secret')
    const { token } = v.parse(loginAnswer, answered.answer)
    expect(await ask(token)).toMatchObject({ status: 200 })
    expect(await ask(token, { statement: 'none' })).toMatchObject(notBound)
  })

  test('refuses a login with the session key as device key', async () => {
    const code = await browser.codeFor('ada@example.com')
    const { thumbprint: jkt, state } = browser.key
    const op = { id: 'op_of_login', step: 1 }
    const stated = { aud: app.id, jkt, vpk: vaultKey, op, purpose: 'login', address: null, digest: null }
    const headers = { 'latchkey-device': state(stated) }
    const body = { email: 'ada@example.com', code }
    expect(await browser.call('loginWithEmailCode', { body, statement: 'none', headers })).toMatchObject({
      answer: { code: 'missing_or_invalid_token' },
    })
    expect(await browser.call('loginWithEmailCode', { body })).toMatchObject({ status: 200 })
  })

  test('rejects statements of another browser’s device, even with the session’s token', async () => {
    const { token } = await loggedIn()
    const thief = newBrowser()
    const body = stepOf()
    const forged = thief.statementFor('walletToken', body, { jkt: browser.key.thumbprint }) ?? ''
    const headers = { 'latchkey-device': forged }
    expect(await browser.call('walletToken', { token, body, statement: 'none', headers })).toMatchObject(
      notBound,
    )
  })

  test.each<[string, object, string]>([
    ['another key of a vault', { vpk: 'B'.repeat(87) }, 'of_another_step'],
    ['another step', { op: { id: 'op_1', step: 2 } }, 'of_another_step'],
    ['another purpose', { purpose: 'import' }, 'of_another_step'],
    ['a login', { purpose: 'login' }, 'of_another_step'],
    ['a wallet, where there is none', { address: `0x${'1'.repeat(40)}` }, 'of_another_step'],
    ['something that was confirmed', { digest: `0x${'d1'.repeat(32)}` }, 'of_another_step'],
    ['another app', { aud: 'b'.repeat(25) }, 'of_another_app'],
    ['another dialog', { jkt: 'k'.repeat(43) }, 'for_another_browser'],
    ['more than a statement has', { more: true }, 'malformed'],
  ])('rejects a statement with %s', async (_what, stated, reason) => {
    const { token } = await loggedIn()
    expect(await ask(token, { statement: stated })).toMatchObject(refused('invalid_data', reason))
  })

  test('a statement has its own type and is signed by the key that it names', async () => {
    const { token } = await loggedIn()
    const body = stepOf()
    const statement = browser.statementFor('walletToken', body) ?? ''
    const [head = '', payload = '', signature = ''] = statement.split('.')
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
    const asProof = browser.device.state(claims, { typ: 'dpop+jwt' })
    const send = (header: string) =>
      browser.call('walletToken', { token, body, statement: 'none', headers: { 'latchkey-device': header } })
    expect(await send(asProof)).toMatchObject(refused('invalid_data', 'malformed'))
    const tampered = Buffer.from(JSON.stringify({ ...claims, purpose: 'import' })).toString('base64url')
    expect(await send(`${head}.${tampered}.${signature}`)).toMatchObject(
      refused('invalid_data', 'not_signed'),
    )
    expect(await send('nothing')).toMatchObject(refused('invalid_data', 'malformed'))
    expect(await send(statement)).toMatchObject({ status: 200 })
  })

  test('a login can not name a vault without a statement about it', async () => {
    await context.db
      .updateTable('apps')
      .set({ config: JSON.stringify({}) })
      .execute()
    const vault = { public_key: vaultKey, operation: { id: 'op_1', step: 1 } }
    const answerTo = async (stated: object) => (await logIn(newBrowser(), { vault, stated })).answer
    expect(await answerTo({})).toHaveProperty('wallet_token')
    expect(await answerTo({ vpk: 'B'.repeat(87) })).not.toHaveProperty('wallet_token')
    expect(await answerTo({ op: { id: 'op_1', step: 2 } })).not.toHaveProperty('wallet_token')
  })

  test('binds the device of a login without one once, with the login secret, within a minute', async () => {
    const { token, secret } = await loggedIn(browser, { stated: 'none' })
    expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(await ask(token)).toMatchObject(notBound)
    const bind = (given: string, stated?: object | 'none') =>
      browser.call('bindDevice', {
        token,
        body: { secret: given },
        ...(stated !== undefined && { statement: stated }),
      })
    expect(await bind('A'.repeat(43))).toMatchObject(notBound)
    expect(await bind(secret, 'none')).toMatchObject(notBound)
    expect(await bind(secret, { purpose: 'create' })).toMatchObject(notBound)
    context.clock.advanceSeconds(60)
    expect(await bind(secret)).toMatchObject({ status: 200, answer: { success: true } })
    // The response may have been lost.
    expect(await bind(secret)).toMatchObject({ status: 200 })
    expect(await ask(token)).toMatchObject({ status: 200 })
    const other = newBrowser()
    const another = other.device.state({
      aud: JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).client_id,
      jkt: browser.key.thumbprint,
      vpk: vaultKey,
      op: { id: 'op_1', step: 1 },
      purpose: 'login',
      address: null,
      digest: null,
    })
    const headers = { 'latchkey-device': another }
    expect(
      await browser.call('bindDevice', { token, body: { secret }, statement: 'none', headers }),
    ).toMatchObject(notBound)
    expect(await ask(token)).toMatchObject({ status: 200 })
  })

  test('refuses to bind a device 61 s after the login', async () => {
    const { token, secret } = await loggedIn(browser, { stated: 'none' })
    context.clock.advanceSeconds(61)
    expect(await browser.call('bindDevice', { token, body: { secret } })).toMatchObject(notBound)
    expect(await ask(token)).toMatchObject(notBound)
  })

  test('binds a device only with the secret of its own login, and never to a fork', async () => {
    const mine = await loggedIn(browser, { stated: 'none' })
    const elsewhere = newBrowser()
    const theirs = await loggedIn(elsewhere, { stated: 'none' })
    const bindWith = (secret: string) => browser.call('bindDevice', { token: mine.token, body: { secret } })
    expect(await bindWith(theirs.secret)).toMatchObject(notBound)
    const session = await newBrowser().login()
    const second = newBrowser()
    const parent = newBrowser()
    const fork = await forkInto(second, parent, await parent.login())
    expect(session).toBeDefined()
    expect(
      await second.call('bindDevice', { token: fork.token, body: { secret: mine.secret } }),
    ).toMatchObject(refused('insufficient_scope'))
    expect(await bindWith(mine.secret)).toMatchObject({ status: 200 })
  })

  test('one of two concurrent bindings succeeds', async () => {
    const { token, secret } = await loggedIn(browser, { stated: 'none' })
    const others = [newBrowser(), newBrowser(), newBrowser()]
    const statements = others.map(({ device }) =>
      device.state({
        aud: JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).client_id,
        jkt: browser.key.thumbprint,
        vpk: vaultKey,
        op: { id: 'op_1', step: 1 },
        purpose: 'login',
        address: null,
        digest: null,
      }),
    )
    const answers = await Promise.all(
      statements.map((statement) =>
        browser.call('bindDevice', {
          token,
          body: { secret },
          statement: 'none',
          headers: { 'latchkey-device': statement },
        }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403, 403])
  })

  test('audits the binding of a device once', async () => {
    const bound = () =>
      context.db
        .selectFrom('audit_log')
        .select(['session_id', 'user_id', 'details'])
        .where('event', '=', 'session.device_bound')
        .execute()
    const { token, secret } = await loggedIn(browser, { stated: 'none' })
    expect(await bound()).toEqual([])
    for (let asked = 0; asked < 2; asked += 1) {
      expect(await browser.call('bindDevice', { token, body: { secret } })).toMatchObject({ status: 200 })
    }
    const { sid, sub } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    expect(await bound()).toEqual([{ session_id: sid, user_id: sub, details: '{}' }])
  })

  /** Calls `bindDevice` directly, as the endpoint does after verifying token and statement. */
  async function bindBy(token: string, change: { secret?: string } = {}) {
    const caller = await context.verifyToken(token)
    if (caller?.scope !== 'dialog') throw new Error('The session is alive')
    const session = await requireLivingSession(context.db, context, caller.sessionId)
    const secret = change.secret ?? deriveDeviceSecret(context, session)
    return bindDevice(context, caller, { secret, device: 'd'.repeat(43) })
  }

  test('binds no device to a fork, even with the fork’s secret', async () => {
    const parent = newBrowser()
    const fork = await forkInto(newBrowser(), parent, await parent.login())
    await expect(bindBy(fork.token)).rejects.toMatchObject({ code: 'device_not_bound' })
    const login = await loggedIn(browser, { stated: 'none' })
    await expect(bindBy(login.token)).resolves.toBeUndefined()
  })

  test.each(['', 'A', 'A'.repeat(42), 'A'.repeat(44)])(
    'refuses to bind a device with the secret %j',
    async (secret) => {
      const { token } = await loggedIn(browser, { stated: 'none' })
      await expect(bindBy(token, { secret })).rejects.toMatchObject({ code: 'device_not_bound' })
    },
  )
})
