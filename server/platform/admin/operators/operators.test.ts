/** Operators of the dashboard: invitations, sessions, roles, confirmations, and attacks on them. */
import { confirmationHeader, operatorRoles } from '@latchkey/protocol/admin'
import * as v from 'valibot'
import { beforeEach, describe, expect, test } from 'vitest'
import { amendRestored } from '../../../kernel/capability.ts'
import { forEachEngine } from '../../../kernel/db/test-engines.ts'
import { testPasskey } from '../../../login/passkey/testing/authenticator.ts'
import { capabilities } from '../../../start/capabilities.ts'
import { type AdminFixture, adminFixture } from '../testing/fixture.ts'
import { inviteForTest, type OperatorBrowser, ownHeaders, signInOperator } from '../testing/operators.ts'
import { revokeOperatorByCommand } from './operators.ts'
import { withOperatorTables } from './tables.ts'

const forged = (text: string) => `${text.slice(0, -1)}${text.endsWith('A') ? 'B' : 'A'}`
const confirming = v.looseObject({ confirmation: v.looseObject({ challenge: v.string() }) })

forEachEngine((database) => {
  let fixture: AdminFixture
  beforeEach(async () => {
    fixture = await adminFixture(database())
  })
  const revoke = (id: string) =>
    fixture.context.transaction((trx) => revokeOperatorByCommand(trx, fixture.context.clock, id))

  describe('an invitation', () => {
    test('registers a passkey and signs the operator in, by a cookie that only this origin sends', async () => {
      const browser = await inviteForTest(fixture, { role: 'support', appId: fixture.app.id })
      const { status, body, setCookie } = await browser.join()
      expect(status).toBe(200)
      const { clock } = fixture.context
      expect(body).toEqual({
        operator_id: browser.id,
        email: 'ada@operator.example',
        sign_in: 'passkey',
        role: 'support',
        scopes: operatorRoles.support.scopes,
        app_id: fixture.app.id,
        expires_at: new Date(clock.nowMs() + 12 * 3_600_000).toISOString(),
      })
      expect(setCookie).toMatch(
        /^__Host-latchkey-operator=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
      )
      expect((await browser.call('GET', `/apps/${fixture.app.id}/users`)).status).toBe(200)
    })

    test('stores its secret and the session as hashes only', async () => {
      const browser = await inviteForTest(fixture)
      const secrets = async () => {
        const db = withOperatorTables(fixture.context.db)
        return JSON.stringify([
          await db.selectFrom('operator_invitations').selectAll().execute(),
          await db.selectFrom('operator_sessions').selectAll().execute(),
        ])
      }
      const [, secret = ''] = browser.invitation.split('.')
      expect(await secrets()).not.toContain(secret)
      await browser.join()
      const [, token = ''] = browser.getCookie()?.split('=') ?? []
      expect(token).toHaveLength(43)
      expect(await secrets()).not.toContain(token)
    })

    test('is used once, even if two browsers answer it at once', async () => {
      const browser = await inviteForTest(fixture)
      const [first, second] = [await browser.open(), await browser.open()]
      const other = await inviteForTest(fixture, { email: 'bob@operator.example' })
      const bodies = [
        { invitation: browser.invitation, credential: browser.register(first) },
        { invitation: browser.invitation, credential: other.register(second) },
      ]
      const statuses = await Promise.all(
        bodies.map(async (body) => (await browser.send('/invitation/accept', body)).status),
      )
      expect(statuses.toSorted()).toEqual([200, 401])
      expect((await browser.send('/invitation', { invitation: browser.invitation })).body).toMatchObject({
        code: 'invitation_expired',
      })
    })

    test.each([
      ['with another secret', async () => {}, forged],
      ['after its expiry', async () => fixture.context.clock.advanceSeconds(86_400), (link: string) => link],
      ['after a newer one', () => inviteForTest(fixture), (link: string) => link],
    ])('is refused %s', async (_, prepare, change) => {
      const browser = await inviteForTest(fixture)
      await prepare()
      const invitation = change(browser.invitation)
      expect(await browser.send('/invitation', { invitation })).toMatchObject({
        status: 401,
        body: { code: 'invitation_expired' },
      })
    })

    test('accepts no registration for another invitation, from another origin or without user verification', async () => {
      const browser = await inviteForTest(fixture)
      const other = await inviteForTest(fixture, { email: 'bob@operator.example' })
      const accept = async (credential: object) =>
        (await browser.send('/invitation/accept', { invitation: browser.invitation, credential })).body.code
      expect(await accept(browser.register(await other.open()))).toBe('sign_in_failed')
      const elsewhere = { origin: 'http://dialog.localhost:4000' }
      expect(await accept(browser.register(await browser.open(), elsewhere))).toBe('sign_in_failed')
      const framed = { crossOrigin: true, topOrigin: 'https://evil.example' }
      expect(await accept(browser.register(await browser.open(), framed))).toBe('sign_in_failed')
      expect(await accept(browser.register(await browser.open(), { flags: 0x41 }))).toBe('sign_in_failed')
      const options = await browser.open()
      const replayed = browser.register(options)
      fixture.context.clock.advanceSeconds(301)
      expect(await accept(replayed)).toBe('sign_in_failed')
    })
  })

  describe('a sign-in', () => {
    test('starts another session, and the audit log names the operator', async () => {
      const browser = await signInOperator(fixture)
      const first = browser.getCookie()
      expect((await browser.signIn()).status).toBe(200)
      expect(browser.getCookie()).not.toBe(first)
      expect((await fixture.readAudit('')).map(({ actor, operation }) => [actor, operation])).toEqual([
        ['command', 'operator.invited'],
        ['operator:ada@operator.example', 'operator.joined'],
        ['operator:ada@operator.example', 'operator.signed_in'],
      ])
    })

    test('accepts an assertion once', async () => {
      const browser = await signInOperator(fixture)
      const credential = browser.answerChallenge(await browser.getChallenge())
      expect((await browser.send('/sign-in/finish', { credential })).status).toBe(200)
      expect(await browser.send('/sign-in/finish', { credential })).toMatchObject({
        status: 401,
        body: { code: 'sign_in_failed' },
      })
    })

    test.each([
      ['another origin', { origin: 'http://dialog.localhost:4000' }],
      ['another relying party', { rpId: 'dialog.localhost' }],
      ['a frame', { crossOrigin: true, topOrigin: 'https://evil.example' }],
      ['a device that did not verify the user', { flags: 0x01 }],
      ['a registration', { type: 'webauthn.create' }],
    ])('refuses an assertion from %s', async (_, changes) => {
      const browser = await signInOperator(fixture)
      const credential = browser.answerChallenge(await browser.getChallenge(), changes)
      expect((await browser.send('/sign-in/finish', { credential })).body.code).toBe('sign_in_failed')
    })

    test('refuses an unknown passkey and one of a revoked operator', async () => {
      const browser = await signInOperator(fixture)
      const stranger = await inviteForTest(fixture, { email: 'eve@operator.example' })
      stranger.register(await stranger.open())
      expect((await stranger.signIn()).body.code).toBe('sign_in_failed')
      const credential = browser.answerChallenge(await browser.getChallenge())
      await revoke(browser.id)
      expect((await browser.send('/sign-in/finish', { credential })).body.code).toBe('sign_in_failed')
    })
  })

  describe('a further passkey', () => {
    const ids = async (browser: OperatorBrowser): Promise<string[]> =>
      (await browser.send('/passkeys', {}, ownHeaders, 'GET')).body.data.map(({ id }: { id: string }) => id)

    test('signs in like the first one, and either can be removed', async () => {
      const browser = await signInOperator(fixture)
      const [first = ''] = await ids(browser)
      const authenticator = testPasskey()
      expect((await browser.addPasskey(authenticator)).status).toBe(200)
      expect(await ids(browser)).toHaveLength(2)
      const challenge = await browser.getChallenge()
      const credential = browser.answerChallenge(challenge, {}, authenticator)
      expect((await browser.send('/sign-in/finish', { credential })).body).toMatchObject({
        operator_id: browser.id,
      })
      expect((await browser.sendConfirmed('/passkeys/remove', { id: first })).body.data).toHaveLength(1)
      expect((await browser.signIn()).body.code).toBe('sign_in_failed')
      expect((await fixture.readAudit('')).map(({ operation }) => operation)).toEqual([
        'operator.invited',
        'operator.joined',
        'operator.passkey_added',
        'operator.signed_in',
        'operator.passkey_removed',
      ])
    })

    test('needs a confirmation, so that a copied cookie adds and removes none', async () => {
      const browser = await signInOperator(fixture)
      await browser.addPasskey()
      const [id = ''] = await ids(browser)
      for (const [path, body] of [
        ['/passkeys/begin', {}],
        ['/passkeys/remove', { id }],
      ] as const) {
        expect((await browser.send(path, body)).body.code).toBe('confirmation_required')
      }
      expect(await ids(browser)).toHaveLength(2)
    })

    test('accepts no registration of another session, and no confirmation of another operator', async () => {
      const browser = await signInOperator(fixture)
      const other = await signInOperator(fixture, { email: 'bob@operator.example' })
      const { options } = (await browser.sendConfirmed('/passkeys/begin', {})).body
      const credential = other.register(options, {}, testPasskey())
      expect((await other.send('/passkeys', { credential })).body.code).toBe('sign_in_failed')
      const { challenge } = (await browser.send('/passkeys/begin', {})).body.confirmation
      const headers = { ...ownHeaders, ...other.toHeader(other.answerChallenge(challenge)) }
      expect((await browser.send('/passkeys/begin', {}, headers)).body.code).toBe('sign_in_failed')
    })

    test('is not removed if it is the last one, also by two requests at once', async () => {
      const browser = await signInOperator(fixture)
      const [sole = ''] = await ids(browser)
      expect((await browser.sendConfirmed('/passkeys/remove', { id: sole })).body.code).toBe('sole_passkey')
      await browser.addPasskey()
      const answers = await Promise.all(
        (await ids(browser)).map((id) => browser.sendConfirmed('/passkeys/remove', { id })),
      )
      const refused = answers.filter(({ status }) => status !== 200).map(({ body }) => body.code)
      // The first request may have removed the passkey that confirms the second one.
      expect([['sole_passkey'], ['sign_in_failed']]).toContainEqual(refused)
      expect(await ids(browser)).toHaveLength(1)
    })

    test('of another operator cannot be removed', async () => {
      const browser = await signInOperator(fixture)
      const other = await signInOperator(fixture, { email: 'bob@operator.example' })
      await other.addPasskey()
      const [id = ''] = await ids(other)
      const answer = await browser.sendConfirmed('/passkeys/remove', { id })
      expect(answer).toMatchObject({ status: 404, body: { code: 'passkey_not_found' } })
      expect(await ids(other)).toHaveLength(2)
    })

    test('is one of five at most', async () => {
      const browser = await signInOperator(fixture)
      for (let count = 1; count < 5; count += 1) expect((await browser.addPasskey()).status).toBe(200)
      expect((await browser.addPasskey()).body.code).toBe('too_many_passkeys')
    })
  })

  describe('a session', () => {
    const read = { status: 401, body: { code: 'session_expired' } }

    test('ends after 12 hours, however much it is used', async () => {
      const browser = await signInOperator(fixture)
      fixture.context.clock.advanceSeconds(43_199)
      expect((await browser.call('GET', '/apps')).status).toBe(200)
      fixture.context.clock.advanceSeconds(1)
      expect(await browser.call('GET', '/apps')).toMatchObject(read)
    })

    test('ends at the sign-out, also for a copy of the cookie', async () => {
      const browser = await signInOperator(fixture)
      const copy = browser.getCookie()
      const { status, setCookie } = await browser.send('/sign-out', {})
      expect([status, setCookie]).toEqual([
        200,
        expect.stringMatching(/^__Host-latchkey-operator=; Max-Age=0;/),
      ])
      browser.setCookie(copy)
      expect(await browser.call('GET', '/apps')).toMatchObject(read)
    })

    test('ends when its operator is revoked, and after a restore from a backup', async () => {
      const browser = await signInOperator(fixture)
      const other = await signInOperator(fixture, { email: 'bob@operator.example' })
      await revoke(browser.id)
      expect(await browser.call('GET', '/apps')).toMatchObject(read)
      expect((await other.call('GET', '/apps')).status).toBe(200)
      const { db, clock } = fixture.context
      const nowSeconds = Math.floor(clock.nowMs() / 1_000)
      await amendRestored(capabilities, db, { nowSeconds, keepsSessions: true })
      expect(await other.call('GET', '/apps')).toMatchObject(read)
    })

    test.each(['__Host-latchkey-operator=', `__Host-latchkey-operator=${'A'.repeat(43)}`])(
      'is not made by the cookie %s',
      async (cookie) => {
        const browser = await inviteForTest(fixture)
        browser.setCookie(cookie)
        expect((await browser.call('GET', '/apps')).status).not.toBe(200)
        expect((await browser.send('/session', {}, ownHeaders, 'GET')).status).toBe(401)
      },
    )
  })

  describe('a cross-site request', () => {
    const crossSite = { status: 403, body: { code: 'cross_site_request' } }

    test.each([
      ['no browser headers', { origin: undefined, 'sec-fetch-site': undefined }],
      ['another origin', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
      ['a sibling subdomain', { origin: 'http://dialog.localhost:4000', 'sec-fetch-site': 'same-site' }],
      ['another port', { origin: 'http://admin.localhost:4000', 'sec-fetch-site': 'same-site' }],
      ['an opaque origin', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
      ['no origin', { origin: undefined }],
      ['no fetch metadata', { 'sec-fetch-site': undefined }],
      ['the address bar', { 'sec-fetch-site': 'none' }],
    ])('with %s changes nothing', async (_, changes) => {
      const browser = await signInOperator(fixture)
      const session = await fixture.browser.login('user@example.com')
      const headers = Object.fromEntries(
        Object.entries({ ...ownHeaders, ...changes, cookie: browser.getCookie() }).filter(
          ([, value]) => value,
        ),
      ) as Record<string, string>
      const path = `/apps/${fixture.app.id}/users/${session.user.id}/sessions`
      const answer = await fixture.call('DELETE', path, { key: undefined, headers })
      expect(answer).toMatchObject(crossSite)
      expect(answer.headers.get('access-control-allow-origin')).toBeNull()
      expect((await browser.call('GET', path)).body.data).toHaveLength(1)
      expect(await browser.send('/sign-out', {}, headers)).toMatchObject(crossSite)
      expect((await browser.call('GET', '/apps')).status).toBe(200)
    })

    test('reads nothing', async () => {
      const browser = await signInOperator(fixture)
      for (const site of ['none', 'same-site', 'cross-site']) {
        const headers = { cookie: browser.getCookie() ?? '', 'sec-fetch-site': site }
        expect(await fixture.call('GET', '/apps', { key: undefined, headers })).toMatchObject(crossSite)
      }
    })

    test('is refused if the cookie comes with an admin key', async () => {
      const browser = await signInOperator(fixture)
      const headers = { ...ownHeaders, cookie: browser.getCookie() ?? '' }
      expect((await fixture.call('GET', '/apps', { headers })).body.code).toBe('browser_not_allowed')
    })
  })

  describe('a role', () => {
    test('allows the calls of its scopes only, and a refusal is in the audit log under the operator', async () => {
      const browser = await signInOperator(fixture, { role: 'viewer' })
      const user = await fixture.browser.login('user@example.com')
      const path = `/apps/${fixture.app.id}/users/${user.user.id}`
      expect((await browser.call('GET', path)).body.accounts[0].identifier).toBe('u•••@example.com')
      for (const [method, target, body] of [
        ['PATCH', path, { blocked: {} }],
        ['DELETE', path, undefined],
        ['GET', '/operators', undefined],
        ['DELETE', `/operators/${browser.id}`, undefined],
      ] as const) {
        expect(await browser.call(method, target, { body })).toMatchObject({
          status: 403,
          body: { code: 'insufficient_scope' },
        })
      }
      const entries = [...(await fixture.readAudit()), ...(await fixture.readAudit(''))]
      expect(
        entries.filter(({ result }) => result === 'insufficient_scope').map(({ actor }) => actor),
      ).toEqual(Array.from({ length: 4 }, () => 'operator:ada@operator.example'))
    })

    test('of one app shows and changes no other app', async () => {
      const other = await fixture.newApp()
      const browser = await signInOperator(fixture, { role: 'owner', appId: other.id })
      const ownerOfAll = await signInOperator(fixture, { email: 'bob@operator.example' })
      expect((await browser.call('GET', '/apps')).body.data.map(({ id }: { id: string }) => id)).toEqual([
        other.id,
      ])
      expect((await browser.call('GET', `/apps/${fixture.app.id}/users`)).body.code).toBe('app_not_found')
      const operators = (await browser.call('GET', '/operators')).body.data
      expect(operators.map(({ id }: { id: string }) => id)).toEqual([browser.id])
      const keys = (await browser.call('GET', '/keys')).body.data
      expect(keys).toEqual([])
      const refused = await browser.confirm('DELETE', `/operators/${ownerOfAll.id}`)
      expect(refused.body.code).toBe('operator_not_found')
      const keyId = fixture.key.split('_')[1]
      expect((await browser.confirm('DELETE', `/keys/${keyId}`)).body.code).toBe('key_not_found')
      expect((await fixture.call('GET', '/audit/head')).status).toBe(200)
    })

    test('of an owner revokes operators and admin keys', async () => {
      const browser = await signInOperator(fixture)
      fixture.context.clock.advanceSeconds(1)
      const other = await signInOperator(fixture, { email: 'bob@operator.example', role: 'viewer' })
      expect((await browser.confirm('DELETE', `/operators/${other.id}`)).body).toEqual({ id: other.id })
      expect((await other.call('GET', '/apps')).status).toBe(401)
      const keyId = fixture.key.split('_')[1]
      expect((await browser.confirm('DELETE', `/keys/${keyId}`)).body).toEqual({ id: keyId })
      expect((await fixture.call('GET', '/audit/head')).body.code).toBe('key_revoked')
      const states = (await browser.call('GET', '/operators')).body.data
      expect(states.map(({ email, state }: { email: string; state: string }) => [email, state])).toEqual([
        ['ada@operator.example', 'active'],
        ['bob@operator.example', 'revoked'],
      ])
    })
  })

  describe('a destructive call', () => {
    const deletion = async () => {
      const browser = await signInOperator(fixture)
      const { user } = await fixture.browser.login('user@example.com')
      const path = `/apps/${fixture.app.id}/users/${user.id}`
      const exists = async () => (await browser.call('GET', path)).status === 200
      return { browser, path, exists }
    }
    const challengeOf = (body: unknown) => v.parse(confirming, body).confirmation.challenge

    test('is made after a passkey confirmed it', async () => {
      const { browser, path, exists } = await deletion()
      expect(await browser.call('DELETE', path)).toMatchObject({
        status: 403,
        body: { code: 'confirmation_required', confirmation: { rp_id: 'admin.localhost' } },
      })
      expect(await exists()).toBe(true)
      expect((await browser.confirm('DELETE', path)).status).toBe(202)
      expect(await exists()).toBe(false)
    })

    test('accepts a confirmation once, and for no other call', async () => {
      const { browser, path, exists } = await deletion()
      const reset = `${path}/factors/reset`
      const challenge = challengeOf((await browser.call('POST', reset)).body)
      const headers = browser.toHeader(browser.answerChallenge(challenge))
      expect((await browser.call('DELETE', path, { headers })).body.code).toBe('sign_in_failed')
      expect(await exists()).toBe(true)
      expect((await browser.call('POST', reset, { headers })).status).toBe(200)
      expect((await browser.call('POST', reset, { headers })).body.code).toBe('sign_in_failed')
    })

    test('accepts no confirmation of another body, session or operator', async () => {
      const { browser, path } = await deletion()
      const other = await signInOperator(fixture, { email: 'bob@operator.example' })
      const unlink = `${path}/accounts/unlink`
      const [first, second] = ['a@example.com', 'b@example.com'].map((identifier) => ({
        body: { type: 'email', identifier },
      }))
      const requested = challengeOf((await browser.call('POST', unlink, first)).body)
      const headers = browser.toHeader(browser.answerChallenge(requested))
      expect((await browser.call('POST', unlink, { ...second, headers })).body.code).toBe('sign_in_failed')
      expect((await other.call('POST', unlink, { ...first, headers })).body.code).toBe('sign_in_failed')
      const ofOther = other.toHeader(other.answerChallenge(requested))
      expect((await browser.call('POST', unlink, { ...first, headers: ofOther })).body.code).toBe(
        'sign_in_failed',
      )
      await browser.signIn()
      expect((await browser.call('POST', unlink, { ...first, headers })).body.code).toBe('sign_in_failed')
    })

    test('accepts no assertion of a sign-in, no expired one and no other text', async () => {
      const { browser, path, exists } = await deletion()
      const codeWith = async (headers: Record<string, string>) =>
        (await browser.call('DELETE', path, { headers })).body.code
      const signIn = browser.answerChallenge(await browser.getChallenge())
      expect(await codeWith(browser.toHeader(signIn))).toBe('sign_in_failed')
      const challenge = challengeOf((await browser.call('DELETE', path)).body)
      fixture.context.clock.advanceSeconds(301)
      expect(await codeWith(browser.toHeader(browser.answerChallenge(challenge)))).toBe('sign_in_failed')
      expect(await codeWith({ [confirmationHeader]: 'e30' })).toBe('invalid_data')
      expect(await codeWith({ [confirmationHeader]: '%' })).toBe('invalid_data')
      expect(await exists()).toBe(true)
    })

    test('of an admin key needs none', async () => {
      const { path, exists } = await deletion()
      expect((await fixture.call('DELETE', path)).status).toBe(202)
      expect(await exists()).toBe(false)
    })
  })

  test('limits sign-ins per client address', async () => {
    const browser = await inviteForTest(fixture)
    const attempt = () =>
      fixture.server.request(
        'http://admin.localhost:4100/admin/session/sign-in',
        { method: 'POST', headers: { ...ownHeaders, 'content-type': 'application/json' }, body: '{}' },
        { incoming: { socket: { remoteAddress: '192.0.2.1' } } },
      )
    for (let count = 0; count < 60; count += 1) expect((await attempt()).status).toBe(200)
    expect((await attempt()).status).toBe(429)
    expect((await browser.join()).status).toBe(200)
  })
})
