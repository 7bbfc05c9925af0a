/** Used challenges and wrong responses, next to valid ones. */
import * as v from 'valibot'
import { beforeEach, describe, expect, test } from 'vitest'
import { sessionAnswer } from '../../identity/sessions/testing/browser.ts'
import { forEachEngine } from '../../kernel/db/test-engines.ts'
import { challengeOfVerification, newChallenge, useUpAnswered } from './passkey.ts'
import { countOn } from './store.ts'
import { type Ceremony, testPasskey } from './testing/authenticator.ts'
import { host, loginBegun, type PasskeyFixture, passkeyFixture, refused } from './testing/fixture.ts'

forEachEngine((database) => {
  let context: PasskeyFixture['context']
  let browser: PasskeyFixture['browser']
  let newApp: PasskeyFixture['newApp']
  let newBrowser: PasskeyFixture['newBrowser']
  let inFrame: PasskeyFixture['inFrame']
  let linkOptionsFor: PasskeyFixture['linkOptionsFor']
  let challengeFor: PasskeyFixture['challengeFor']
  let bodyOf: PasskeyFixture['bodyOf']
  let login: PasskeyFixture['login']
  let userWith: PasskeyFixture['userWith']
  let link: PasskeyFixture['link']
  let app: PasskeyFixture['app']
  beforeEach(async () => {
    ;({
      context,
      browser,
      newApp,
      newBrowser,
      inFrame,
      linkOptionsFor,
      challengeFor,
      bodyOf,
      login,
      userWith,
      link,
      app,
    } = await passkeyFixture(database()))
  })

  describe('a challenge', () => {
    test('a challenge is used once, even by concurrent calls or a wrong response', async () => {
      const passkey = testPasskey()
      await userWith(passkey)
      const body = bodyOf(await challengeFor(), passkey)
      const answers = await Promise.all([1, 2, 3].map(() => browser.call('loginWithPasskey', { body })))
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422])
      expect(await browser.call('loginWithPasskey', { body })).toMatchObject(refused('challenge'))

      const challenge = await challengeFor()
      const misplaced = bodyOf(challenge, passkey, { topOrigin: 'https://evil.example' })
      expect(await browser.call('loginWithPasskey', { body: misplaced })).toMatchObject(refused('top_origin'))
      expect(await browser.call('loginWithPasskey', { body: bodyOf(challenge, passkey) })).toMatchObject(
        refused('challenge'),
      )
    })

    test('a challenge is bound to its browser', async () => {
      const passkey = testPasskey()
      await userWith(passkey)
      const body = bodyOf(await challengeFor(), passkey)
      const stranger = newBrowser()
      expect(await stranger.call('loginWithPasskey', { body })).toMatchObject(refused('challenge'))
      expect(await browser.call('loginWithPasskey', { body })).toMatchObject({ status: 200 })
    })

    test('a link challenge is bound to its browser, even within the same session', async () => {
      const { token, user } = await browser.login()
      const { challenge } = await linkOptionsFor(token)
      const id = Buffer.from(user.id).toString('base64url')
      const authenticator_response = testPasskey().make(id, inFrame(challenge))
      const call = { token, body: { relying_party: 'dialog.localhost', authenticator_response } }
      const headers = { 'latchkey-login-binding': 'another browser' }
      expect(await browser.call('linkPasskey', { ...call, headers })).toMatchObject(refused('challenge'))
      expect(await browser.call('linkPasskey', call)).toMatchObject({ status: 200 })
    })

    test('a link with malformed client data is rejected', async () => {
      const { token } = await browser.login()
      const begun = await linkOptionsFor(token)
      const passkey = testPasskey()
      for (const challenge of ['\0', `${begun.challenge}\0`, `${begun.challenge}=`, '']) {
        const answer = await link(token, passkey, { begun, changes: { challenge } })
        expect(answer).toMatchObject(refused('client_data'))
      }
      expect(await link(token, passkey, { begun })).toMatchObject({ status: 200 })
    })

    test('a session challenge is not consumed by malformed client data', async () => {
      const { user } = await browser.login()
      const of = challengeOfVerification({ app, caller: { userId: user.id, sessionId: 'session' } })
      const { challenge } = await context.transaction((trx) => newChallenge(trx, context, of))
      const answered = (clientDataJson: string) =>
        context.transaction((trx) =>
          useUpAnswered(trx, context, of, {
            response: { clientDataJson, authenticatorData: '', signature: '' },
          }),
        )
      expect(await answered('bnVsbA')).toBeUndefined()
      const said = { type: 'webauthn.get', challenge, origin: 'http://dialog.localhost:4000' }
      expect(await answered(Buffer.from(JSON.stringify(said)).toString('base64url'))).toBe(challenge)
    })

    test('a challenge is bound to its app', async () => {
      const passkey = testPasskey()
      await userWith(passkey)
      const other = await newApp()
      // Both apps identify this browser by the same binding.
      const headers = { 'latchkey-login-binding': 'one browser' }
      const elsewhere = newBrowser(other)
      const begun = await elsewhere.call('beginPasskeyLogin', { headers })
      const body = bodyOf(v.parse(loginBegun, begun.answer).options.challenge, passkey)
      expect(await browser.call('loginWithPasskey', { headers, body })).toMatchObject(refused('challenge'))
      expect(await login(passkey)).toMatchObject({ status: 200 })
    })

    test('a challenge expires after five minutes', async () => {
      const passkey = testPasskey()
      await userWith(passkey)
      const [early, late] = [await challengeFor(), await challengeFor()]
      context.clock.advanceSeconds(299)
      expect(await browser.call('loginWithPasskey', { body: bodyOf(early, passkey) })).toMatchObject({
        status: 200,
      })
      context.clock.advanceSeconds(1)
      expect(await browser.call('loginWithPasskey', { body: bodyOf(late, passkey) })).toMatchObject(
        refused('challenge'),
      )
    })

    test('a login challenge links nothing, and neither does another user’s link challenge', async () => {
      const { token, user } = await browser.login()
      const passkey = testPasskey()
      const id = Buffer.from(user.id).toString('base64url')
      const linkWith = (challenge: string) =>
        browser.call('linkPasskey', {
          token,
          body: {
            relying_party: 'dialog.localhost',
            authenticator_response: passkey.make(id, inFrame(challenge)),
          },
        })
      expect(await linkWith(await challengeFor())).toMatchObject(refused('challenge'))
      const other = await browser.login('bob@example.com')
      expect(await linkWith((await linkOptionsFor(other.token)).challenge)).toMatchObject(
        refused('challenge'),
      )
      expect(await linkWith((await linkOptionsFor(token)).challenge)).toMatchObject({ status: 200 })
    })

    test('a repeated login returns the same session', async () => {
      const passkey = testPasskey({ counts: true })
      await userWith(passkey)
      const body = bodyOf(await challengeFor(), passkey)
      const once = { body, requestId: 'login-once' }
      const first = v.parse(sessionAnswer, (await browser.call('loginWithPasskey', once)).answer)
      const again = v.parse(sessionAnswer, (await browser.call('loginWithPasskey', once)).answer)
      expect(again.refresh_token).toBe(first.refresh_token)
    })
  })

  describe('a response', () => {
    test.each<[string, Partial<Ceremony>]>([
      ['origin', { origin: host }],
      ['top_origin', { topOrigin: 'https://evil.example' }],
      ['answer', { rpId: 'localhost' }],
      ['answer', { flags: 0x01 }],
    ])('a login with a wrong %s is rejected: %j', async (reason, changes) => {
      const passkey = testPasskey()
      await userWith(passkey)
      const body = bodyOf(await challengeFor(), passkey, changes)
      expect(await browser.call('loginWithPasskey', { body })).toMatchObject(refused(reason))
      expect(await login(passkey)).toMatchObject({ status: 200 })
    })

    test.each<[string, Partial<Ceremony>]>([
      ['origin', { origin: host }],
      ['top_origin', { topOrigin: 'https://evil.example' }],
      ['answer', { rpId: 'localhost' }],
      ['answer', { flags: 0x41 }],
    ])('a link with a wrong %s is rejected: %j', async (reason, changes) => {
      const { token } = await browser.login()
      const passkey = testPasskey()
      expect(await link(token, passkey, { changes })).toMatchObject(refused(reason))
      expect(await login(passkey)).toMatchObject(refused('unknown'))
      expect(await link(token, passkey)).toMatchObject({ status: 200 })
    })

    // Browsers hide an unknown passkey, so one of another app must not be unknown.
    test('a passkey is unknown only if no app of the server has it', async () => {
      const stranger = testPasskey()
      stranger.make('bm9ib2R5', inFrame('YW55'))
      expect(await login(stranger)).toMatchObject(refused('unknown'))
      const passkey = testPasskey()
      await userWith(passkey)
      expect(await login(passkey, newBrowser(await newApp()))).toMatchObject(refused('credential'))
    })

    test('a login for another relying party is rejected', async () => {
      const passkey = testPasskey()
      await userWith(passkey)
      const another = { status: 422, answer: { code: 'invalid_data', details: { path: 'relying_party' } } }
      const relying_party = 'localhost'
      const body = bodyOf(await challengeFor(), passkey)
      const misled = { body: { ...body, relying_party } }
      expect(await browser.call('loginWithPasskey', misled)).toMatchObject(another)
      expect(await browser.call('loginWithPasskey', { body })).toMatchObject({ status: 200 })
      expect(await browser.call('beginPasskeyLogin', { body: { relying_party } })).toMatchObject(another)
      const right = { body: { relying_party: 'dialog.localhost' } }
      expect(await browser.call('beginPasskeyLogin', right)).toMatchObject({ status: 200 })
    })

    test('a link for another relying party is rejected', async () => {
      const { token } = await browser.login()
      const { challenge, user } = await linkOptionsFor(token)
      const authenticator_response = testPasskey().make(user.id, inFrame(challenge))
      const linkAt = (relying_party: string) =>
        browser.call('linkPasskey', { token, body: { relying_party, authenticator_response } })
      expect(await linkAt('localhost')).toMatchObject({
        status: 422,
        answer: { code: 'invalid_data', details: { path: 'relying_party' } },
      })
      expect(await linkAt('dialog.localhost')).toMatchObject({ status: 200 })
    })

    test('a response without user handle or with malformed client data is rejected', async () => {
      const passkey = testPasskey()
      await userWith(passkey)
      const answered = async (change: object) => {
        const { authenticator_response: answer, ...body } = bodyOf(await challengeFor(), passkey)
        const authenticator_response = { ...answer, response: { ...answer.response, ...change } }
        return browser.call('loginWithPasskey', { body: { ...body, authenticator_response } })
      }
      expect(await answered({ user_handle: undefined })).toMatchObject(refused('user_handle'))
      expect(await answered({ client_data_json: 'bnVsbA' })).toMatchObject(refused('client_data'))
      expect(await answered({})).toMatchObject({ status: 200 })
    })

    test('of two responses with one counter, the second is rejected as a copy', async () => {
      const passkey = testPasskey({ counts: true })
      await userWith(passkey)
      const bodies = [
        bodyOf(await challengeFor(), passkey, { counter: 9 }),
        bodyOf(await challengeFor(), passkey, { counter: 9 }),
      ]
      const answers = await Promise.all(bodies.map((body) => browser.call('loginWithPasskey', { body })))
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
    })

    test('a response without a counter is rejected if the passkey has counted meanwhile', async () => {
      const passkey = testPasskey({ counts: true })
      await userWith(passkey)
      const of = { app_id: app.id, credential_id: passkey.credentialId }
      const count = (counter: number) => context.transaction((trx) => countOn(trx, of, counter))
      expect(await count(9)).toBe(true)
      expect(await count(0)).toBe(false)
      expect(await count(10)).toBe(true)
    })

    // spec L3.30
    test('a response that is a string is rejected', async () => {
      const body = { relying_party: 'dialog.localhost', challenge: 'YQ', authenticator_response: '123456' }
      expect(await browser.call('loginWithPasskey', { body })).toMatchObject({
        status: 422,
        answer: { code: 'invalid_data' },
      })
    })
  })
})
