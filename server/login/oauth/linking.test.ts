/** Linking and unlinking OAuth accounts. */
import * as v from 'valibot'
import { beforeEach, describe, expect, test } from 'vitest'
import { sessionAnswer } from '../../identity/sessions/testing/browser.ts'
import { forEachEngine } from '../../kernel/db/test-engines.ts'
import { linkingFacts } from '../testing/linking.facts.ts'
import type { SocialProvider } from './provider.ts'
import { type Choice, everyProvider } from './testing/at-sandbox.ts'
import { ada, type OAuthFixture, oauthFixture, oauthTables } from './testing/fixture.ts'
import { startProviders } from './testing/sandbox.ts'

const sandbox = await startProviders()

forEachEngine((database) => {
  let fixture: OAuthFixture
  let context: OAuthFixture['context']
  let handOutTokens: OAuthFixture['handOutTokens']
  let browser: OAuthFixture['browser']
  let newBrowser: OAuthFixture['newBrowser']
  let codeFor: OAuthFixture['codeFor']
  let authenticate: OAuthFixture['authenticate']
  let loginAs: OAuthFixture['loginAs']
  beforeEach(async () => {
    fixture = await oauthFixture(database(), sandbox)
    ;({ context, handOutTokens, browser, newBrowser, codeFor, authenticate, loginAs } = fixture)
  })

  // spec L7.14, L8.35, L8.40
  linkingFacts(() => ({
    fixture,
    type: 'google_oauth',
    setting: 'google_oauth',
    calls: { login: 'loginWithOAuth', link: 'linkOAuth', unlink: 'unlinkOAuth' },
    proof: (person, from) => codeFor('google', { person }, from),
    named: (subject) => ({ provider: 'google', subject }),
    shown: { name: 'Ada Lovelace' },
  }))

  describe('linking', () => {
    const link = async (
      session: { token: string },
      from = browser,
      choice: Choice = ada,
      provider: SocialProvider = 'google',
    ) => from.call('linkOAuth', { token: session.token, body: await codeFor(provider, choice, from) })

    // spec L1.8
    test.each(everyProvider)('links an account of %s, with which the user then logs in', async (provider) => {
      const session = await browser.login()
      context.clock.advanceSeconds(1)
      expect(await link(session, browser, ada, provider)).toMatchObject({
        status: 200,
        answer: { linked_accounts: [{ type: 'email' }, { type: `${provider}_oauth` }] },
      })
      expect((await loginAs(provider)).user.id).toBe(session.user.id)
    })

    test.each([
      [true, { oauth_tokens: { provider: 'google' } }],
      [false, {}],
    ])('returns tokens only if requested and enabled by the app: %j', async (isHandedOut, tokens) => {
      await handOutTokens(isHandedOut)
      const { token } = await browser.login()
      const body = { ...(await codeFor('google')), with_tokens: true }
      const answer = await browser.call('linkOAuth', { token, body })
      expect(answer).toMatchObject({
        status: 200,
        answer: { id: expect.any(String), ...tokens },
      })
      expect(Object.hasOwn(Object(answer.answer), 'oauth_tokens')).toBe(isHandedOut)
    })

    test('assigns an account to one user if linking and login are concurrent', async () => {
      const second = newBrowser()
      const session = await browser.login('ada@example.com')
      const codes = [await codeFor('google', ada, browser), await codeFor('google', ada, second)] as const
      const [linked, login] = await Promise.all([
        browser.call('linkOAuth', { token: session.token, body: codes[0] }),
        authenticate(codes[1], second),
      ])
      expect(login.status).toBe(200)
      const { user } = v.parse(sessionAnswer, login.answer)
      expect(user.id === session.user.id).toBe(linked.status === 200)
      const rows = await context.db.selectFrom('linked_accounts').select('type').execute()
      expect(rows.filter(({ type }) => type === 'google_oauth')).toHaveLength(1)
    })
  })
}, oauthTables)
