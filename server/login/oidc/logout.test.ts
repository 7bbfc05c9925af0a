import { UnsecuredJWT } from 'jose'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { forDefaultEngine } from '../../kernel/db/test-engines.ts'
import { type OidcFixture, oidcFixture } from './testing/fixture.ts'
import { clientId, startIssuer } from './testing/issuer.ts'

const acme = await startIssuer('acme.localhost')
afterAll(() => acme.close())

const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }

forDefaultEngine((database) => {
  let fixture: OidcFixture
  let issued = 0
  beforeEach(async () => {
    acme.reset()
    fixture = await oidcFixture(database())
    await fixture.add('acme', acme.issuer)
  })
  const logoutToken = (claims: object, header = {}) => {
    issued += 1
    const all = { events, jti: `jti-${issued}`, ...claims }
    return acme.sign(all, fixture.context.clock.nowMs(), undefined, { typ: 'logout+jwt', ...header })
  }
  const login = (sub: string, sid?: string) =>
    fixture.sessionAt(acme, { from: fixture.newBrowser(), claims: { sub, ...(sid && { sid }) } })

  test('a logout token with a subject ends the sessions of that account only', async () => {
    await login('ada', 'sid-1')
    await login('ada', 'sid-2')
    await login('ben')
    const response = await fixture.logOut(await logoutToken({ sub: 'ada' }))
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(await fixture.livingSessions()).toBe(1)
  })

  test.each([
    ['a session id alone', { sub: undefined, sid: 'sid-1' }, 2],
    ['a subject and a session id', { sub: 'ada', sid: 'sid-1' }, 2],
    ['the session id of another subject', { sub: 'ben', sid: 'sid-1' }, 3],
    ['an unknown subject', { sub: 'cleo' }, 3],
  ])('a logout token with %s ends matching sessions', async (_case, claims, living) => {
    await login('ada', 'sid-1')
    await login('ada', 'sid-2')
    await login('ben', 'sid-3')
    expect((await fixture.logOut(await logoutToken(claims))).status).toBe(200)
    expect(await fixture.livingSessions()).toBe(living)
  })

  test('ends a session for its browser', async () => {
    const { refresh_token } = await fixture.sessionAt(acme)
    await fixture.logOut(await logoutToken({ sub: 'ada' }))
    const { answer } = await fixture.browser.call('refreshSession', { body: { refresh_token } })
    expect(answer).toMatchObject({ code: 'missing_or_invalid_token' })
  })

  test('leaves the sessions of another app with the same issuer', async () => {
    const other = await fixture.newApp()
    await fixture.add('acme', acme.issuer, other)
    await fixture.sessionAt(acme, { from: fixture.newBrowser(other) })
    await fixture.logOut(await logoutToken({ sub: 'ada' }))
    expect(await fixture.livingSessions()).toBe(1)
  })

  describe('an invalid logout token ends no session', () => {
    beforeEach(() => login('ada', 'sid-1'))
    const expectRefusal = async (token: string, place?: { id: string }) => {
      const response = await fixture.logOut(token, place)
      expect([response.status, (await response.json()).error]).toEqual([400, 'invalid_request'])
      expect(await fixture.livingSessions()).toBe(1)
    }

    test.each([
      ['for another client', { aud: 'another' }],
      ['of another issuer', { iss: 'https://globex.example' }],
      ['without the logout event', { events: {} }],
      ['with another event', { events: { 'https://example.com/event': {} } }],
      ['with a nonce, like an ID token', { nonce: 'n' }],
      ['without an id', { jti: undefined }],
      ['without subject and session id', { sub: undefined }],
    ])('%s', async (_case, claims) => {
      await expectRefusal(await logoutToken({ sub: 'ada', ...claims }))
    })

    test('issued too long ago', async () => {
      const token = await logoutToken({ sub: 'ada' })
      fixture.context.clock.advanceSeconds(700)
      await expectRefusal(token)
    })

    test('with a signature by the public key, or none', async () => {
      const key = new TextEncoder().encode(JSON.stringify(acme.jwk))
      const claims = { events, jti: 'j', sub: 'ada' }
      await expectRefusal(await acme.sign(claims, fixture.context.clock.nowMs(), key, { alg: 'HS256' }))
      const unsigned = new UnsecuredJWT({ ...claims, iss: acme.issuer, aud: clientId }).setIssuedAt()
      await expectRefusal(unsigned.setExpirationTime('5m').encode())
    })

    test('sent to an unknown provider', async () => {
      await expectRefusal(await logoutToken({ sub: 'ada' }), { id: 'other' })
    })
  })

  test('a logout token works once', async () => {
    const token = await logoutToken({ sub: 'ada' })
    await login('ada')
    expect((await fixture.logOut(token)).status).toBe(200)
    await login('ada')
    expect((await fixture.logOut(token)).status).toBe(400)
    expect(await fixture.livingSessions()).toBe(1)
  })
})
