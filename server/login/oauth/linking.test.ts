/** An account that is added to a user, and taken from them. */
import * as v from 'valibot'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { sessionAnswer } from '../../identity/sessions/testing/browser.ts'
import { forEachEngine } from '../../kernel/db/test-engines.ts'
import type { SocialProvider } from './provider.ts'
import { type Choice, everyProvider } from './testing/at-sandbox.ts'
import { startProviders } from './testing/sandbox.ts'
import { ada, type OAuthWorld, oauthTables, oauthWorld } from './testing/world.ts'

const sandbox = await startProviders()

forEachEngine((database) => {
  let context: OAuthWorld['context']
  let handOutTokens: OAuthWorld['handOutTokens']
  let browser: OAuthWorld['browser']
  let newBrowser: OAuthWorld['newBrowser']
  let codeFor: OAuthWorld['codeFor']
  let authenticate: OAuthWorld['authenticate']
  let loginAs: OAuthWorld['loginAs']
  beforeEach(async () => {
    ;({ context, handOutTokens, browser, newBrowser, codeFor, authenticate, loginAs } = await oauthWorld(
      database(),
      sandbox,
    ))
  })

  describe('linking', () => {
    const link = async (
      session: { readonly token: string },
      from = browser,
      choice: Choice = ada,
      provider: SocialProvider = 'google',
    ) => from.call('linkOAuth', { token: session.token, body: await codeFor(provider, choice, from) })

    // spec L1.8
    test.each(everyProvider)(
      'adds the account of %s to the user, who then logs in with it',
      async (provider) => {
        const session = await browser.login()
        context.clock.advanceSeconds(1)
        expect(await link(session, browser, ada, provider)).toMatchObject({
          status: 200,
          answer: { linked_accounts: [{ type: 'email' }, { type: `${provider}_oauth` }] },
        })
        expect((await loginAs(provider)).user.id).toBe(session.user.id)
      },
    )

    test.each([
      [true, { oauth_tokens: { provider: 'google' } }],
      [false, {}],
    ])(
      'hands out tokens where they are asked for and the app hands them out: %j',
      async (isHandedOut, tokens) => {
        await handOutTokens(isHandedOut)
        const { token } = await browser.login()
        const body = { ...(await codeFor('google')), with_tokens: true }
        const answer = await browser.call('linkOAuth', { token, body })
        expect(answer).toMatchObject({
          status: 200,
          answer: { id: expect.any(String), ...tokens },
        })
        expect(Object.hasOwn(Object(answer.answer), 'oauth_tokens')).toBe(isHandedOut)
      },
    )

    // spec L8.35, L8.40
    test('an account of somebody else, and a second one of the type, is refused', async () => {
      await loginAs('google')
      const session = await browser.login()
      expect(await link(session)).toMatchObject({
        status: 400,
        answer: {
          code: 'linked_to_another_user',
          error: 'This account has already been linked to another user.',
        },
      })
      expect(await link(session, browser, { person: 'Ben Okri' })).toMatchObject({ status: 200 })
      expect(await link(session, browser, { person: 'Carla Diaz' })).toMatchObject({
        status: 400,
        answer: { code: 'cannot_link_more_of_type' },
      })
    })

    test('of one account by two users at once: one wins, and nothing is half made', async () => {
      const second = newBrowser()
      const sessions = [
        await browser.login('ada@example.com'),
        await second.login('ben@example.com'),
      ] as const
      const codes = [await codeFor('google', ada, browser), await codeFor('google', ada, second)] as const
      const answers = await Promise.all([
        browser.call('linkOAuth', { token: sessions[0].token, body: codes[0] }),
        second.call('linkOAuth', { token: sessions[1].token, body: codes[1] }),
      ])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
      expect(answers.find(({ status }) => status === 400)).toMatchObject({
        answer: { code: 'linked_to_another_user' },
      })
      const rows = await context.db.selectFrom('linked_accounts').select(['type', 'user_id']).execute()
      expect(rows.map(({ type }) => type).sort()).toEqual(['email', 'email', 'google_oauth'])
    })

    test('of an account by a user while somebody logs in with it: it is of one of them', async () => {
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

    test('needs the session to be alive', async () => {
      const { token, refresh_token } = await browser.login()
      const body = await codeFor('google')
      await browser.call('logout', { body: { refresh_token } })
      expect(await browser.call('linkOAuth', { token, body })).toMatchObject({ status: 401 })
    })

    test('links nothing where the session ended after the call was let in', async () => {
      const { token, refresh_token } = await browser.login()
      const body = await codeFor('google')
      const caller = await context.verifyToken(token)
      await browser.call('logout', { body: { refresh_token } })
      vi.spyOn(context, 'verifyToken').mockResolvedValue(caller)
      expect(await browser.call('linkOAuth', { token, body })).toMatchObject({
        status: 401,
        answer: { code: 'missing_or_invalid_token' },
      })
      const rows = await context.db.selectFrom('linked_accounts').select('type').execute()
      expect(rows).toEqual([{ type: 'email' }])
    })
  })

  describe('unlinking', () => {
    const unlink = (token: string, subject: string, from = browser, requestId?: string) =>
      from.call('unlinkOAuth', {
        token,
        body: { provider: 'google', subject },
        ...(requestId !== undefined && { requestId }),
      })
    const subjectOf = (session: { readonly user: unknown }) =>
      v.parse(
        v.object({ linked_accounts: v.array(v.looseObject({ subject: v.optional(v.string()) })) }),
        session.user,
      ).linked_accounts[0]?.subject ?? ''

    // spec L7.14
    test('takes the account away, which then is anybody’s', async () => {
      const session = await loginAs('google')
      const code = await browser.codeFor('ada@example.com')
      await browser.call('linkEmail', { token: session.token, body: { email: 'ada@example.com', code } })
      const subject = subjectOf(session)
      const answer = { linked_accounts: [{ type: 'email' }] }
      expect(await unlink(session.token, subject, browser, 'unlink-once')).toMatchObject({
        status: 200,
        answer,
      })
      expect(await unlink(session.token, subject, browser, 'unlink-once')).toMatchObject({
        status: 200,
        answer,
      })
      expect(await unlink(session.token, subject)).toMatchObject({
        status: 404,
        answer: { code: 'linked_account_not_found' },
      })
      expect((await loginAs('google')).user.id).not.toBe(session.user.id)
    })

    test('leaves the last account, and that of somebody else', async () => {
      const session = await loginAs('google')
      const subject = subjectOf(session)
      expect(await unlink(session.token, subject)).toMatchObject({
        status: 400,
        answer: { code: 'cannot_unlink_sole_account' },
      })
      const second = newBrowser()
      const stranger = await second.login('ben@example.com')
      expect(await unlink(stranger.token, subject, second)).toMatchObject({
        status: 404,
        answer: { code: 'linked_account_not_found' },
      })
      expect((await loginAs('google')).user.id).toBe(session.user.id)
    })

    test('of two at once leaves one', async () => {
      const session = await loginAs('google')
      const { token } = session
      await browser.call('linkOAuth', { token, body: await codeFor('github') })
      const github = await context.db
        .selectFrom('linked_accounts')
        .select('identifier')
        .where('type', '=', 'github_oauth')
        .executeTakeFirstOrThrow()
      const answers = await Promise.all([
        unlink(token, subjectOf(session)),
        browser.call('unlinkOAuth', { token, body: { provider: 'github', subject: github.identifier } }),
      ])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
      expect(await context.db.selectFrom('linked_accounts').select('id').execute()).toHaveLength(1)
    })
  })
}, oauthTables)
