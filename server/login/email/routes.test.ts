import * as v from 'valibot'
import { beforeEach, expect, test } from 'vitest'
import type { App } from '../../identity/apps/apps.ts'
import { setFields } from '../../identity/apps/manage.ts'
import {
  sessionAnswer,
  type TestBrowser,
  testBrowser,
  testServer,
} from '../../identity/sessions/testing/browser.ts'
import { createTokenVerifier } from '../../identity/sessions/tokens/verifier.ts'
import { mailer } from '../../integrations/mail/mail.ts'
import { forDefaultEngine } from '../../kernel/db/test-engines.ts'
import type { Server } from '../../start/app.ts'
import { type TestContext, testApp, testContext } from '../../testing/context.ts'
import { testVault } from '../../wallet/wallets/testing/vault.ts'

const email = 'ada@example.com'

forDefaultEngine((database) => {
  let context: TestContext
  let app: App
  let server: Server
  let browser: TestBrowser
  beforeEach(async () => {
    context = await testContext(database(), {
      verifyToken: (own) => (token) => createTokenVerifier(own())(token),
    })
    app = await testApp(context)
    server = testServer(context)
    browser = testBrowser(server, context, app)
  })
  const login = (code: string, requestId?: string) =>
    browser.call('loginWithEmailCode', {
      body: { email, code },
      ...(requestId !== undefined && { requestId }),
    })
  const wrongFor = (code: string) => (code === '000000' ? '111111' : '000000')

  // spec L1.2, L7.35
  test('trims address and code, and ignores the case of addresses', async () => {
    await browser.call('sendEmailCode', { body: { email: '  Ada@Example.COM ' } })
    const code = context.mails[0]?.subject.slice(0, 6) ?? ''
    expect(context.mails[0]?.to).toBe(email)
    const answer = await browser.call('loginWithEmailCode', {
      body: { email: ' ADA@example.com', code: ` ${code}\n` },
    })
    expect(answer).toMatchObject({ status: 200, answer: { user: { linked_accounts: [{ address: email }] } } })
  })

  test('wrong, expired, used and foreign codes have the same response', async () => {
    const answers: unknown[] = []
    const keep = ({ status, answer }: Awaited<ReturnType<typeof login>>) => answers.push({ status, answer })
    keep(await login('000000'))
    const code = await browser.codeFor(email)
    keep(await login(wrongFor(code)))
    keep(await testBrowser(server, context, app).call('loginWithEmailCode', { body: { email, code } }))
    await login(code)
    keep(await login(code))
    const late = await browser.codeFor(email)
    context.clock.advanceSeconds(600)
    keep(await login(late))
    const wrong = { error: 'Invalid or expired verification code', code: 'invalid_credentials' }
    expect(answers).toEqual(Array(5).fill({ status: 422, answer: wrong }))
  })

  test('a repeated login returns the same session', async () => {
    const code = await browser.codeFor(email)
    const first = v.parse(sessionAnswer, (await login(code, 'login-once')).answer)
    const again = await login(code, 'login-once')
    expect(again.answer).toMatchObject({ is_new_user: true })
    expect(v.parse(sessionAnswer, again.answer).refresh_token).toBe(first.refresh_token)
    expect(await context.db.selectFrom('sessions').select('id').execute()).toHaveLength(1)
    await browser.call('logout', { body: { refresh_token: first.refresh_token } })
    expect(await login(code, 'login-once')).toMatchObject({ status: 401 })
  })

  test('a repeated wrong guess counts once', async () => {
    const code = await browser.codeFor(email)
    for (let turn = 0; turn < 10; turn += 1)
      expect(await login(wrongFor(code), 'guess-once')).toMatchObject({ status: 422 })
    expect(await login(code)).toMatchObject({ status: 200 })
  })

  test('a repeated send mails once, and mails on the retry if it failed before', async () => {
    const send = (requestId: string) => browser.call('sendEmailCode', { requestId, body: { email } })
    await send('send-once')
    expect(await send('send-once')).toMatchObject({ status: 200, answer: { success: true } })
    expect(context.mails).toHaveLength(1)

    const works = mailer.get(context.ports)
    mailer.set(context.ports, { send: () => Promise.reject(new Error('421 later')) })
    expect(await send('send-later')).toMatchObject({ status: 502, answer: { code: 'email_not_sent' } })
    mailer.set(context.ports, works)
    expect(await send('send-later')).toMatchObject({ status: 200 })
    expect(await login(context.mails[1]?.subject.slice(0, 6) ?? '')).toMatchObject({ status: 200 })
  })

  test('too many guesses are refused with the retry time', async () => {
    const code = await browser.codeFor(email)
    for (let turn = 0; turn < 5; turn += 1) await login(wrongFor(code))
    const refused = await login(code)
    expect(refused).toMatchObject({ status: 429, answer: { code: 'too_many_requests' } })
    expect(refused.headers.get('retry-after')).toBe('600')
  })

  test('audits a login with its method', async () => {
    const { user } = await browser.login(email)
    const rows = await context.db.selectFrom('audit_log').selectAll().execute()
    expect(rows).toContainEqual(
      expect.objectContaining({
        event: 'session.started',
        app_id: app.id,
        user_id: user.id,
        details: JSON.stringify({ method: 'email' }),
      }),
    )
  })

  test('linking with a wrong code has the same error as a login', async () => {
    const { token } = await browser.login(email)
    const code = await browser.codeFor('second@example.com')
    const body = { email: 'second@example.com', code: wrongFor(code) }
    expect(await browser.call('linkEmail', { token, body })).toMatchObject({
      status: 422,
      answer: { code: 'invalid_credentials', error: 'Invalid or expired verification code' },
    })
  })

  test('linking one’s own address again returns the user', async () => {
    const { token, user } = await browser.login(email)
    const body = { email, code: await browser.codeFor(email) }
    expect(await browser.call('linkEmail', { token, body })).toMatchObject({
      status: 200,
      answer: { id: user.id, linked_accounts: [{ address: email }] },
    })
  })

  test('only a login that names a vault returns its first step', async () => {
    const { embeddedWalletConfig } = app.config
    const wallets = { ...embeddedWalletConfig, createOnLogin: 'all-users' as const }
    const set = { ...app, config: { ...app.config, embeddedWalletConfig: wallets } }
    const apps = { ...context.apps, find: async () => set }
    browser = testBrowser(testServer({ ...context, apps }), context, set)
    const { publicKey } = await testVault()
    const vault = { public_key: publicKey, operation: { id: 'op_1', step: 1 } }
    const named = { email, code: await browser.codeFor(email), vault }
    expect(await browser.call('loginWithEmailCode', { body: named })).toMatchObject({
      status: 200,
      answer: { wallet_token: { token: expect.stringMatching(/^ey/), purpose: 'create' } },
    })
    const { answer } = await login(await browser.codeFor(email))
    expect(answer).not.toHaveProperty('wallet_token')
  })

  // spec L5.16
  test('refuses to link a second address', async () => {
    const { token } = await browser.login(email)
    const second = 'second@example.com'
    const body = { email: second, code: await browser.codeFor(second) }
    expect(await browser.call('linkEmail', { token, body })).toMatchObject({
      status: 400,
      answer: {
        code: 'cannot_link_more_of_type',
        error: 'User already has an account of type email linked.',
      },
    })
  })

  // spec L6.4
  test('an app without e-mail login refuses every call', async () => {
    let served = app
    const apps = { ...context.apps, find: async () => served }
    browser = testBrowser(testServer({ ...context, apps }), context, app)
    const { token } = await browser.login(email)
    const mailed = context.mails.length
    served = { ...app, config: { ...app.config, emailAuth: false } }
    const refused = { status: 403, answer: { code: 'disallowed_login_method' } }
    expect(await browser.call('sendEmailCode', { body: { email } })).toMatchObject(refused)
    expect(await login('000000')).toMatchObject(refused)
    const linking = { token, body: { email, code: '000000' } }
    expect(await browser.call('linkEmail', linking)).toMatchObject(refused)
    const changing = { token, body: { oldAddress: email, newAddress: 'ada@new.example', code: '000000' } }
    expect(await browser.call('updateEmail', changing)).toMatchObject(refused)
    expect(context.mails).toHaveLength(mailed)
  })

  test('a user who is not on the allowlist receives the app’s texts', async () => {
    const allowlistConfig = { errorTitle: 'Members only' }
    const closed = { ...app, config: { ...app.config, allowlistEnabled: true, allowlistConfig } }
    const apps = { ...context.apps, find: async () => closed }
    browser = testBrowser(testServer({ ...context, apps }), context, closed)
    expect(await login(await browser.codeFor(email))).toMatchObject({
      status: 401,
      answer: { code: 'allowlist_rejected', details: allowlistConfig },
    })
  })

  // spec L3.13, L7.18
  test('an app that requires accepted terms allows logins, and records the acceptance', async () => {
    await setFields(context.db, context.clock, app.id, [['require_users_accept_terms', true]])
    context.clock.advanceSeconds(2)
    const first = await login(await browser.codeFor(email))
    expect(first).toMatchObject({ status: 200, answer: { user: { has_accepted_terms: false } } })
    const { token } = await browser.login(email)
    const accepted = { status: 200, answer: { has_accepted_terms: true } }
    expect(await browser.call('acceptTerms', { token, body: {} })).toMatchObject(accepted)
    expect(await login(await browser.codeFor(email))).toMatchObject({
      answer: { user: { has_accepted_terms: true } },
    })
  })
})
