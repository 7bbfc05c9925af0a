/** Hooks with real connections: decisions about logins, claims and messages, and hostile backends. */
import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { collectEnvironment } from '../../kernel/capability.ts'
import { parseConfig } from '../../kernel/config.ts'
import { forDefaultEngine, forEachEngine } from '../../kernel/db/test-engines.ts'
import { capabilities } from '../../start/capabilities.ts'
import { type Receiver, type Reply, replyWith, startReceiver } from '../webhooks/testing/receiver.ts'
import { hookLimits } from './limits.ts'
import { type HookFixture, hookFixture, readClaims } from './testing/fixture.ts'

let receiver: Receiver
beforeEach(async () => {
  receiver = await startReceiver()
})
afterEach(() => receiver.stop())

const denied = { status: 401, answer: { code: 'login_denied' } }

/** Answers like a backend that verifies the question with its secret. */
const backend =
  (secret: string, decide: (data: Record<string, unknown>) => object): Reply =>
  (answer, { headers, body }) => {
    const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = headers
    const hmac = createHmac('sha256', Buffer.from(secret.replace('whsec_', ''), 'base64'))
    const expected = hmac.update(`${id}.${timestamp}.${body}`).digest('base64')
    const isAuthentic = String(signature).split(' ').includes(`v1,${expected}`)
    const text = isAuthentic ? JSON.stringify({ id, ...decide(JSON.parse(body).data) }) : ''
    answer.writeHead(isAuthentic ? 200 : 401, { 'content-type': 'application/json' }).end(text)
  }
/** Answers with these fields and the id of the question. */
const answerWith =
  (fields: object, headers: Record<string, string> = { 'content-type': 'application/json' }): Reply =>
  (answer, { headers: { 'webhook-id': id } }) =>
    answer.writeHead(200, headers).end(JSON.stringify({ id, ...fields }))

const readData = ({ received }: Receiver, at = -1) => JSON.parse(received.at(at)?.body ?? '{}')
const countUsers = async ({ context, app }: HookFixture) =>
  (await context.db.selectFrom('users').select('id').where('app_id', '=', app.id).execute()).length

forEachEngine((database) => {
  test('login.before allows and denies logins, and a denied login creates no user', async () => {
    const fixture = await hookFixture(database())
    const secret = await fixture.addHook('login.before', receiver.url)
    receiver.setReply(
      backend(secret, ({ email_domain: domain }) =>
        domain === 'acme.example' ? { decision: 'allow' } : { decision: 'deny', reason: 'not_a_customer' },
      ),
    )
    expect(await fixture.logIn('eve@other.example')).toMatchObject({
      status: 401,
      answer: { code: 'login_denied', details: { reason: 'not_a_customer' } },
    })
    expect(await countUsers(fixture)).toBe(0)
    expect(await fixture.logIn()).toMatchObject({ status: 200, answer: { is_new_user: true } })
    expect(await fixture.logIn()).toMatchObject({ status: 200, answer: { is_new_user: false } })
    expect(readData(receiver, 0)).toMatchObject({
      type: 'login.before',
      data: {
        app_id: fixture.app.id,
        user_id: null,
        is_new: true,
        method: 'email',
        account_type: 'email',
        email_domain: 'other.example',
      },
    })
    expect(readData(receiver).data).toMatchObject({ is_new: false, user_id: expect.stringMatching(/^usr_/) })
    expect(receiver.received).toHaveLength(3)
    expect(receiver.received.map(({ body }) => body).join()).not.toContain('ada@')
    const audit = await fixture.context.db
      .selectFrom('audit_log')
      .select(['details'])
      .where('event', '=', 'user.login_denied_by_hook')
      .execute()
    expect(audit.map(({ details }) => JSON.parse(details))).toMatchObject([
      { method: 'email', reason: 'not_a_customer', answered: true },
    ])
  })
})

forDefaultEngine((database) => {
  test('the code of a denied login is used up, and a repeated call asks no second time', async () => {
    const fixture = await hookFixture(database())
    await fixture.addHook('login.before', receiver.url)
    receiver.setReply(answerWith({ decision: 'deny' }))
    const email = 'ada@acme.example'
    const body = { email, code: await fixture.browser.codeFor(email) }
    const request = { body, requestId: 'the-same-request' }
    expect(await fixture.browser.call('loginWithEmailCode', request)).toMatchObject(denied)
    expect(await fixture.browser.call('loginWithEmailCode', request)).toMatchObject(denied)
    expect(receiver.received).toHaveLength(1)
    receiver.setReply(answerWith({ decision: 'allow' }))
    expect(await fixture.browser.call('loginWithEmailCode', { body })).toMatchObject({
      answer: { code: 'invalid_credentials' },
    })
  })

  test('a wrong code asks no hook', async () => {
    const fixture = await hookFixture(database())
    await fixture.addHook('login.before', receiver.url)
    const email = 'ada@acme.example'
    await fixture.browser.codeFor(email)
    await fixture.browser.call('loginWithEmailCode', { body: { email, code: '000000' } })
    expect(receiver.received).toEqual([])
  })

  describe('an answer counts as a failure', () => {
    const hostile: [string, Reply][] = [
      [
        'if it is huge',
        (answer) => answer.writeHead(200, { 'content-type': 'application/json' }).end('x'.repeat(1_000_000)),
      ],
      ['if it is a redirect', replyWith(302, { location: 'http://127.0.0.1:9/' })],
      ['if its status is not 200', replyWith(201, { 'content-type': 'application/json' }, '{}')],
      ['if it has another content type', answerWith({ decision: 'allow' }, { 'content-type': 'text/html' })],
      ['if it is no JSON', replyWith(200, { 'content-type': 'application/json' }, '{"decision":')],
      ['if it has no decision', answerWith({})],
      ['if it has another decision', answerWith({ decision: 'maybe' })],
      ['if it names another user', answerWith({ decision: 'allow', user_id: 'usr_eve' })],
      ['if it names another app', answerWith({ decision: 'allow', app_id: 'b'.repeat(25) })],
      ['if it names a scope', answerWith({ decision: 'allow', scope: 'dialog' })],
      ['if its reason is no code', answerWith({ decision: 'deny', reason: '<b>No</b>' })],
      [
        'if it answers another question',
        replyWith(200, { 'content-type': 'application/json' }, '{"id":"msg_earlier","decision":"allow"}'),
      ],
      ['if the connection breaks', (answer) => answer.destroy()],
    ]
    test.each(hostile)('%s', async (_when, reply) => {
      const fixture = await hookFixture(database())
      await fixture.addHook('login.before', receiver.url, 'deny')
      receiver.setReply(reply)
      expect(await fixture.logIn()).toMatchObject({ ...denied, answer: { details: { reason: null } } })
      const [hook] = (await fixture.call('GET', '')).body.data
      expect((await fixture.call('PATCH', `/${hook.id}`, { body: { on_failure: 'allow' } })).status).toBe(200)
      fixture.context.clock.advanceMs(hookLimits.freshMs)
      expect(await fixture.logIn()).toMatchObject({ status: 200 })
    })

    test('if it drips past the deadline', async () => {
      const deadlines: AbortController[] = []
      const fixture = await hookFixture(database(), {
        createDeadline: () => {
          const deadline = new AbortController()
          deadlines.push(deadline)
          return deadline.signal
        },
      })
      await fixture.addHook('login.before', receiver.url, 'deny')
      receiver.setReply((answer) => {
        answer.writeHead(200, { 'content-type': 'application/json' })
        // The deadline passes after the first bytes.
        answer.write('{"decision":', () => deadlines.at(-1)?.abort(new DOMException('late', 'TimeoutError')))
      })
      expect(await fixture.logIn()).toMatchObject(denied)
      expect(deadlines).toHaveLength(1)
    })
  })

  test('the deadline of a question is 2 s', () => {
    expect(hookLimits.deadlineMs).toBe(2_000)
  })

  test('a hook that fails five times is not asked for 30 s, and then tested by one question', async () => {
    const fixture = await hookFixture(database())
    const { clock } = fixture.context
    await fixture.addHook('login.before', receiver.url)
    receiver.setReply(replyWith(500))
    const logInOften = async (times: number) => {
      for (let at = 0; at < times; at += 1) {
        clock.advanceSeconds(1)
        expect((await fixture.logIn(`ada${at}@acme.example`)).status).toBe(200)
      }
    }
    await logInOften(8)
    expect(receiver.received).toHaveLength(5)
    clock.advanceSeconds(30)
    await logInOften(2)
    expect(receiver.received).toHaveLength(6)
    clock.advanceSeconds(30)
    receiver.setReply(answerWith({ decision: 'allow' }))
    await logInOften(2)
    expect(receiver.received).toHaveLength(8)
  })

  test('a question is never sent to a private address, nor to the server itself', async () => {
    const fixture = await hookFixture(database())
    const { dialogOrigin } = fixture.context.config
    const create = (url: string, config = fixture.context.config) =>
      fixture.call('POST', '', { config, body: { kind: 'login.before', url, on_failure: 'deny' } })
    const production = parseConfig({}, collectEnvironment(capabilities))
    const own = `${dialogOrigin}/api/v1/hooks`
    for (const [url, config] of [
      ['https://10.0.0.7/hook', production],
      ['https://169.254.169.254/latest', production],
      [receiver.url, production],
      ['http://hooks.example/', undefined],
      ['https://user:secret@hooks.example/', undefined],
      [own, undefined],
    ] as const) {
      expect((await create(url, config)).body).toMatchObject({ code: 'url_not_allowed' })
    }
    expect((await fixture.run('add', 'login.before', own)).type).toBe('refused')
    // A row of an earlier configuration is checked again before each question.
    await fixture.addHook('login.before', receiver.url, 'deny')
    await sql`update hooks set url = ${own}`.execute(fixture.context.db)
    fixture.context.clock.advanceMs(hookLimits.freshMs)
    expect(await fixture.logIn()).toMatchObject(denied)
    expect(receiver.received).toEqual([])
  })

  describe('token.claims', () => {
    test('adds claims to the host token only, asked once a session', async () => {
      const fixture = await hookFixture(database())
      const secret = await fixture.addHook('token.claims', receiver.url)
      receiver.setReply(backend(secret, () => ({ claims: { plan: 'pro', seats: [1, 2] } })))
      const session = await fixture.browser.login()
      const claims = { app_claims: { plan: 'pro', seats: [1, 2] } }
      expect(readClaims(session.host_token)).toMatchObject({ scope: 'host', sub: session.user.id, ...claims })
      expect(readClaims(session.token)).not.toHaveProperty('app_claims')
      expect(await fixture.context.verifyToken(session.host_token)).toMatchObject({ userId: session.user.id })
      const { answer } = await fixture.browser.call('refreshSession', {
        token: session.token,
        body: { refresh_token: session.refresh_token },
      })
      expect(readClaims((answer as typeof session).host_token)).toMatchObject(claims)
      expect(receiver.received).toHaveLength(1)
      expect(readData(receiver)).toMatchObject({ type: 'token.claims', data: { user_id: session.user.id } })
      await fixture.browser.login()
      expect(receiver.received).toHaveLength(2)
    })

    test.each([
      ['the subject', { sub: 'usr_eve' }],
      ['the audience', { aud: 'other' }],
      ['the scope', { scope: 'dialog' }],
      ['the proof key', { cnf: { jkt: 'x' } }],
      ['more than 1 kB', { text: 'x'.repeat(1_024) }],
    ])('rejects claims that name %s', async (_what, claims) => {
      const fixture = await hookFixture(database())
      await fixture.addHook('token.claims', receiver.url)
      receiver.setReply(answerWith({ claims }))
      const session = await fixture.browser.login()
      expect(readClaims(session.host_token)).toMatchObject({ sub: session.user.id, scope: 'host' })
      expect(readClaims(session.host_token)).not.toHaveProperty('app_claims')
    })

    test('accepts the largest claims beside the largest metadata', async () => {
      const fixture = await hookFixture(database())
      await fixture.addHook('token.claims', receiver.url)
      const longest = { text: 'x'.repeat(1_024 - '{"text":""}'.length) }
      receiver.setReply(answerWith({ claims: longest }))
      const session = await fixture.browser.login()
      const settings = { token_metadata_keys: ['text'] }
      await fixture.callAdmin('PATCH', `/apps/${fixture.app.id}`, { body: { settings } })
      const metadata = { public: longest }
      await fixture.callAdmin('PATCH', `/apps/${fixture.app.id}/users/${session.user.id}`, {
        body: { metadata },
      })
      fixture.context.clock.advanceMs(hookLimits.freshMs)
      const { host_token: token } = await fixture.browser.login()
      expect(readClaims(token)).toMatchObject({ app_claims: longest, metadata: longest })
      expect(token.length).toBeLessThan(4_096)
      expect(await fixture.context.verifyToken(token)).toBeDefined()
    })

    test('without an answer and with the failure mode deny, no token is issued until the hook answers', async () => {
      const fixture = await hookFixture(database())
      await fixture.addHook('token.claims', receiver.url, 'deny')
      receiver.setReply(replyWith(500))
      const email = 'ada@acme.example'
      const body = { email, code: await fixture.browser.codeFor(email) }
      const request = { body, requestId: 'the-same-request' }
      expect(await fixture.browser.call('loginWithEmailCode', request)).toMatchObject({
        status: 503,
        answer: { code: 'unavailable' },
      })
      receiver.setReply(answerWith({ claims: { plan: 'pro' } }))
      expect(await fixture.browser.call('loginWithEmailCode', request)).toMatchObject({ status: 200 })
    })
  })

  describe('message.send', () => {
    test('replaces the mail server while it answers', async () => {
      const fixture = await hookFixture(database())
      const secret = await fixture.addHook('message.send', receiver.url)
      let codeInMessage = ''
      receiver.setReply(
        backend(secret, ({ text }) => {
          codeInMessage = /\d{6}/.exec(String(text))?.[0] ?? ''
          return { sent: true }
        }),
      )
      const email = 'ada@acme.example'
      await fixture.browser.call('sendEmailCode', { body: { email } })
      expect(fixture.context.mails).toEqual([])
      const body = { email, code: codeInMessage }
      expect(await fixture.browser.call('loginWithEmailCode', { body })).toMatchObject({ status: 200 })
      expect(readData(receiver, 0).data).toMatchObject({ kind: 'login_code', channel: 'email', to: email })
    })

    test('falls back to the mail server', async () => {
      const fixture = await hookFixture(database())
      await fixture.addHook('message.send', receiver.url)
      receiver.setReply(answerWith({ sent: false }))
      expect(await fixture.logIn()).toMatchObject({ status: 200 })
      expect(fixture.context.mails).toHaveLength(1)
    })

    test('is created and enabled by the command only, because it receives login codes', async () => {
      const fixture = await hookFixture(database())
      const body = { kind: 'message.send', url: 'https://hooks.example/', on_failure: 'allow' }
      expect((await fixture.call('POST', '', { body })).body).toMatchObject({ code: 'invalid_data' })
      await fixture.addHook('message.send', receiver.url)
      const [hook] = (await fixture.call('GET', '')).body.data
      const change = (changes: object) => fixture.call('PATCH', `/${hook.id}`, { body: changes })
      expect((await change({ url: 'https://evil.example/' })).body).toMatchObject({ code: 'not_supported' })
      expect((await change({ state: 'disabled' })).status).toBe(200)
      expect((await change({ state: 'enabled' })).body).toMatchObject({ code: 'not_supported' })
    })
  })

  test('the Admin API manages hooks, one of each kind in an app', async () => {
    const fixture = await hookFixture(database())
    const body = { kind: 'login.before', url: 'https://hooks.example/latchkey', on_failure: 'deny' }
    const { id } = (await fixture.call('POST', '', { body })).body
    expect((await fixture.call('POST', '', { body })).body).toMatchObject({ code: 'hook_exists' })
    expect((await fixture.call('GET', `/${id}`)).body).toMatchObject({ id, ...body, state: 'enabled' })
    const secretsOf = async () => (await fixture.call('GET', `/${id}/secret`)).body.data
    const [first] = await secretsOf()
    await fixture.call('POST', `/${id}/secret/rotate`)
    const [second, earlier] = await secretsOf()
    expect(earlier).toMatchObject({ secret: first.secret, expires_at: expect.any(String) })
    expect(second.secret).not.toBe(first.secret)
    const reader = await fixture.newKey({ scopes: ['webhooks:read'] })
    expect((await fixture.call('GET', `/${id}/secret`, { key: reader })).body).toMatchObject({
      code: 'insufficient_scope',
    })
    expect((await fixture.call('DELETE', `/${id}`)).status).toBe(200)
    expect((await fixture.call('GET', `/${id}`)).body).toMatchObject({ code: 'hook_not_found' })
    expect((await fixture.call('GET', '')).body).toEqual({ data: [] })
  })

  test('the command lists, rotates, disables, enables and removes hooks', async () => {
    const fixture = await hookFixture(database())
    const secret = await fixture.addHook('login.before', receiver.url, 'deny')
    expect((await fixture.run('list')).lines).toEqual([
      `login.before  enabled  on failure: deny  ${receiver.url}`,
    ])
    expect((await fixture.run('secret', 'login.before')).lines).toEqual([expect.stringContaining(secret)])
    await fixture.run('rotate', 'login.before')
    expect((await fixture.run('secret', 'login.before')).lines).toHaveLength(2)
    await fixture.run('disable', 'login.before')
    fixture.context.clock.advanceMs(hookLimits.freshMs)
    expect(await fixture.logIn()).toMatchObject({ status: 200 })
    expect(receiver.received).toEqual([])
    await fixture.run('enable', 'login.before')
    await fixture.run('remove', 'login.before')
    expect((await fixture.run('list')).lines).toEqual([])
    expect((await fixture.run('remove', 'login.before')).type).toBe('refused')
    expect((await fixture.run('add', 'no.kind', receiver.url)).type).toBe('refused')
    expect((await fixture.run('add', 'message.send', receiver.url, '--on-failure', 'deny')).type).toBe(
      'refused',
    )
    expect((await fixture.run('add', 'login.before')).type).toBe('misused')
  })
})
