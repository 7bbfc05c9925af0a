/** Tests the handover of a login to the wallet page, over HTTP. */
import { randomBytes } from 'node:crypto'
import * as v from 'valibot'
import { beforeEach, describe, expect, test } from 'vitest'
import { forEachEngine } from '../../../kernel/db/test-engines.ts'
import { type TestContext, testApp, testContext } from '../../../testing/context.ts'
import { testVault } from '../../../wallet/wallets/testing/vault.ts'
import { findSession } from '../store.ts'
import {
  type CallOptions,
  forkInto,
  sessionAnswer,
  type TestBrowser,
  testBrowser,
  testServer,
} from '../testing/browser.ts'
import { type BrowserKey, browserKey } from '../testing/browser-key.ts'
import { createTokenVerifier } from '../tokens/verifier.ts'
import { redeemHandover } from './handover.ts'

const refused = (code: string) => ({ answer: { code } })
const notBound = { status: 403, answer: { code: 'device_not_bound' } }
const ended = { status: 401, answer: { code: 'missing_or_invalid_token' } }
const loginAnswer = v.looseObject({ ...sessionAnswer.entries, device_secret: v.optional(v.string()) })
const codeAnswer = v.strictObject({ code: v.string(), expires_in_seconds: v.literal(60) })
const windowAnswer = v.strictObject({
  user: v.looseObject({ id: v.string() }),
  token: v.string(),
  refresh_token: v.string(),
})
const claimsOf = (token: string) =>
  v.parse(
    v.looseObject({ sid: v.string(), cnf: v.object({ jkt: v.string() }) }),
    JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()),
  )

forEachEngine((database) => {
  let context: TestContext
  let browser: TestBrowser
  let newBrowser: () => TestBrowser
  let device: BrowserKey
  let appId: string
  beforeEach(async () => {
    context = await testContext(database(), {
      verifyToken: (own) => (token, of) => createTokenVerifier(own())(token, of),
    })
    const server = testServer(context)
    const app = await testApp(context)
    appId = app.id
    newBrowser = () => testBrowser(server, context, app)
    browser = newBrowser()
    device = browserKey()
  })

  const login = async (by = browser, stated: 'none' | object = 'none') => {
    const email = 'ada@example.com'
    const code = await by.codeFor(email)
    const { answer } = await by.call('loginWithEmailCode', { body: { email, code }, statement: stated })
    const { device_secret: secret = '', ...session } = v.parse(loginAnswer, answer)
    return { ...session, secret }
  }
  type Login = Awaited<ReturnType<typeof login>>
  const handOver = ({ token, secret }: Pick<Login, 'token' | 'secret'>, requestId?: string) =>
    browser.call('createHandover', { token, body: { secret }, ...(requestId !== undefined && { requestId }) })
  const codeOf = async (of: Login) => v.parse(codeAnswer, (await handOver(of)).answer).code

  /** Calls like the wallet page, with a vault key. */
  const fromPage = (
    name: 'redeemHandover' | 'refreshHandedOver' | 'walletToken' | 'me',
    body: object,
    { key = device, token, ...options }: CallOptions & { key?: BrowserKey } = {},
  ) => {
    const requestId = options.requestId ?? randomBytes(12).toString('base64url')
    const { walletOrigin } = context.config
    const paths = {
      redeemHandover: '/sessions/handover/redeem',
      refreshHandedOver: '/sessions/handover/refresh',
      walletToken: '/wallets/token',
      me: '/users/me',
    }
    const isRead = name === 'me'
    const proof = key.prove({
      method: isRead ? 'GET' : 'POST',
      url: `${walletOrigin}/api/v1${paths[name]}`,
      atSeconds: Math.floor(context.clock.nowMs() / 1_000),
      requestId,
      body: isRead ? '' : JSON.stringify(body),
      token: 'refresh_token' in body ? String(body.refresh_token) : token,
    })
    const headers = {
      origin: walletOrigin,
      host: new URL(walletOrigin).host,
      dpop: proof,
      ...options.headers,
    }
    return browser.call(name, { ...options, token, requestId, body, statement: 'none', headers })
  }
  const redeem = (code: string, options: Parameters<typeof fromPage>[2] = {}) =>
    fromPage('redeemHandover', { code }, options)
  const redeemed = async (code: string, options: Parameters<typeof fromPage>[2] = {}) =>
    v.parse(windowAnswer, (await redeem(code, options)).answer)

  test('starts a session with the page’s key and device, and ends the dialog’s session', async () => {
    const dialog = await login()
    const code = await codeOf(dialog)
    const page = await redeemed(code)
    expect(page.user.id).toBe(dialog.user.id)
    const { sid, cnf } = claimsOf(page.token)
    expect(cnf.jkt).toBe(device.thumbprint)
    const before = await findSession(context.db, claimsOf(dialog.token).sid)
    expect(await findSession(context.db, sid)).toMatchObject({
      kind: 'login',
      key_thumbprint: device.thumbprint,
      device: device.thumbprint,
      account_id: before?.account_id,
      account_linked_at: before?.account_linked_at,
      revoked_at: null,
    })
    expect(before?.account_id).toMatch(/./)
    expect(await browser.call('me', { token: dialog.token })).toMatchObject(ended)
    expect(await fromPage('me', {}, { token: page.token })).toMatchObject({ status: 200 })
  })

  test('accepts wallet statements of the session’s own device, with its key as the session key', async () => {
    const { token } = await redeemed(await codeOf(await login()))
    const { publicKey } = await testVault()
    const body = {
      public_key: publicKey,
      operation: { id: 'op_of_page', step: 1 },
      purpose: 'create',
      address: null,
      confirmation: null,
    }
    const stated = {
      aud: appId,
      jkt: device.thumbprint,
      vpk: publicKey,
      op: body.operation,
      purpose: 'create',
      address: null,
      digest: null,
    }
    const ask = (statement: string) =>
      fromPage('walletToken', body, { token, headers: { 'latchkey-device': statement } })
    const { status, answer } = await ask(device.state(stated))
    expect(status).toBe(200)
    const wallet = claimsOf(v.parse(v.object({ token: v.string() }), answer).token)
    expect(wallet.cnf.jkt).toBe(device.thumbprint)
    // Another vault of the same browser, with the same dialog key.
    expect(await ask(browserKey().state(stated))).toMatchObject(notBound)
    expect(await ask(device.state({ ...stated, jkt: browser.key.thumbprint }))).toMatchObject({
      status: 422,
      answer: { details: { reason: 'for_another_browser' } },
    })
  })

  describe('the handover code', () => {
    test('a repeated call returns the same code, because a response may be lost', async () => {
      const dialog = await login()
      const first = await handOver(dialog, 'the-same-call')
      expect(first.status).toBe(200)
      expect((await handOver(dialog, 'the-same-call')).answer).toEqual(first.answer)
    })

    test('the database contains the code’s hash only', async () => {
      const code = await codeOf(await login())
      const rows = await context.db.selectFrom('session_codes').selectAll().execute()
      const kept = await context.db.selectFrom('request_replays').selectAll().execute()
      expect(rows).toHaveLength(1)
      expect(JSON.stringify([rows, kept])).not.toContain(code)
    })

    test('a login’s secret creates one code, and only for that login', async () => {
      const dialog = await login()
      const other = newBrowser()
      const theirs = await login(other)
      expect(await handOver({ token: dialog.token, secret: theirs.secret })).toMatchObject(notBound)
      expect(await handOver({ token: dialog.token, secret: 'A'.repeat(43) })).toMatchObject(notBound)
      expect(await handOver(dialog)).toMatchObject({ status: 200 })
      expect(await handOver(dialog)).toMatchObject(notBound)
    })

    test('a code must be created within a minute of the login', async () => {
      const dialog = await login()
      context.clock.advanceSeconds(61)
      expect(await handOver(dialog)).toMatchObject(notBound)
    })

    test('one login can not have both a handover code and a device', async () => {
      const first = await login()
      expect(await handOver(first)).toMatchObject({ status: 200 })
      const bind = (of: Login) => browser.call('bindDevice', { token: of.token, body: { secret: of.secret } })
      expect(await bind(first)).toMatchObject(notBound)
      const second = await login()
      expect(await bind(second)).toMatchObject({ status: 200 })
      expect(await handOver(second)).toMatchObject(notBound)
      const withDevice = await login(browser, {})
      expect(withDevice.secret).toBe('')
      const third = await login()
      const both = await Promise.all([bind(third), handOver(third)])
      expect(both.map(({ status }) => status).sort()).toEqual([200, 403])
    })

    test('a fork can not create a code', async () => {
      const parent = newBrowser()
      const fork = await forkInto(browser, parent, await parent.login())
      expect(await handOver({ token: fork.token, secret: 'A'.repeat(43) })).toMatchObject(
        refused('insufficient_scope'),
      )
    })

    test('a code expires after 60 s', async () => {
      const dialog = await login()
      const code = await codeOf(dialog)
      context.clock.advanceSeconds(60)
      expect(await redeem(code)).toMatchObject(ended)
      expect(await browser.call('me', { token: dialog.token })).toMatchObject({ status: 200 })
    })

    test('a code returns the session again to the first key only', async () => {
      const code = await codeOf(await login())
      const first = await redeemed(code)
      const again = await redeemed(code)
      expect(claimsOf(again.token).sid).toBe(claimsOf(first.token).sid)
      expect(again.refresh_token).toBe(first.refresh_token)
      expect(await redeem(code, { key: browserKey() })).toMatchObject(refused('token_already_used'))
      await fromPage('refreshHandedOver', { refresh_token: first.refresh_token })
      context.clock.advanceSeconds(60)
      const { refresh_token: third } = v.parse(
        windowAnswer,
        (await fromPage('refreshHandedOver', { refresh_token: first.refresh_token })).answer,
      )
      await fromPage('refreshHandedOver', { refresh_token: third })
      expect(await redeem(code)).toMatchObject(refused('token_already_used'))
    })

    test('concurrent redemptions of a code start one session', async () => {
      const code = await codeOf(await login())
      const answers = await Promise.all(Array.from({ length: 4 }, () => redeem(code, { key: browserKey() })))
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      const sessions = await context.db
        .selectFrom('sessions')
        .select('id')
        .where('revoked_at', 'is', null)
        .execute()
      expect(sessions).toHaveLength(1)
    })

    test('a code of a session that has ended starts none', async () => {
      const dialog = await login()
      const code = await codeOf(dialog)
      await browser.call('logout', { body: { refresh_token: dialog.refresh_token } })
      expect(await redeem(code)).toMatchObject(ended)
    })

    test('a code is valid for its own app only, and not as a fork code', async () => {
      const code = await codeOf(await login())
      const elsewhere = context.transaction((trx) =>
        redeemHandover(trx, context, { appId: 'b'.repeat(25), code, provenKey: device.thumbprint }),
      )
      await expect(elsewhere).rejects.toMatchObject({ code: 'missing_or_invalid_token' })
      expect(await browser.call('redeemSessionCode', { body: { code } })).toMatchObject(ended)
      const dialog = await login()
      const made = await browser.call('createSessionCode', { token: dialog.token })
      const { code: ofFork } = v.parse(v.object({ code: v.string() }), made.answer)
      expect(await redeem(ofFork)).toMatchObject(ended)
      expect(await redeem(code)).toMatchObject({ status: 200 })
    })

    test('redeeming a code requires the wallet page’s origin and a proof', async () => {
      const code = await codeOf(await login())
      const { dialogOrigin } = context.config
      expect(await redeem(code, { headers: { origin: dialogOrigin } })).toMatchObject({
        status: 403,
        answer: { code: 'invalid_origin' },
      })
      expect(await redeem(code, { headers: { dpop: '' } })).toMatchObject(ended)
      expect(await redeem(code)).toMatchObject({ status: 200 })
    })
  })

  describe('a handed-over session', () => {
    const refresh = (token: string, options: Parameters<typeof fromPage>[2] = {}) =>
      fromPage('refreshHandedOver', { refresh_token: token }, options)

    test('a handed-over session is refreshed in the body, even in cookie mode', async () => {
      const dialog = await login()
      const code = await codeOf(dialog)
      await context.db.updateTable('apps').set({ session_mode: 'cookie' }).execute()
      context.clock.advanceSeconds(2)
      const answered = await redeem(code)
      expect(answered.setCookies).toEqual([])
      const first = v.parse(windowAnswer, answered.answer)
      const renewed = await refresh(first.refresh_token)
      expect(renewed.setCookies).toEqual([])
      const next = v.parse(windowAnswer, renewed.answer)
      expect(next.refresh_token).not.toBe(first.refresh_token)
      const again = v.parse(windowAnswer, (await refresh(first.refresh_token)).answer)
      expect(again.refresh_token).toBe(next.refresh_token)
    })

    test('a handed-over session ends on token reuse, and accepts no other key', async () => {
      const first = await redeemed(await codeOf(await login()))
      expect(await refresh(first.refresh_token, { key: browserKey() })).toMatchObject(ended)
      const second = v.parse(windowAnswer, (await refresh(first.refresh_token)).answer)
      const third = v.parse(windowAnswer, (await refresh(second.refresh_token)).answer)
      context.clock.advanceSeconds(3_600)
      expect(await refresh(first.refresh_token)).toMatchObject(ended)
      expect(await refresh(third.refresh_token)).toMatchObject(ended)
      const events = await context.db.selectFrom('audit_log').select('event').execute()
      expect(events.map(({ event }) => event)).toContain('session.reuse_detected')
    })

    test('other sessions can not be refreshed by the handover endpoint', async () => {
      const { refresh_token: token } = await login()
      const own = await refresh(token ?? '', { key: browser.key })
      expect(own).toMatchObject(ended)
      const ordinary = await browser.call('refreshSession', { body: { refresh_token: token } })
      expect(ordinary).toMatchObject({ status: 200, answer: { session_update_action: 'set' } })
    })

    test('creation and redemption of a handover are audited', async () => {
      const dialog = await login()
      const page = await redeemed(await codeOf(dialog))
      const rows = await context.db
        .selectFrom('audit_log')
        .select(['event', 'session_id', 'details'])
        .where('event', 'like', 'session.hand%')
        .orderBy('event')
        .execute()
      const { sid } = claimsOf(dialog.token)
      expect(rows).toEqual([
        { event: 'session.handed_over', session_id: claimsOf(page.token).sid, details: `{"by":"${sid}"}` },
        { event: 'session.handover_created', session_id: sid, details: '{}' },
      ])
    })
  })
})
