/** A Telegram account that is added to a user, and taken from them. */
import * as v from 'valibot'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { forkInto, sessionAnswer } from '../../identity/sessions/testing/browser.ts'
import { captchaVerifier } from '../../integrations/captcha/captcha.ts'
import { forEachEngine } from '../../kernel/db/test-engines.ts'
import {
  refused,
  startTelegram,
  type TelegramWorld,
  telegramTestTables,
  telegramWorld,
} from './testing/world.ts'

const telegram = await startTelegram()

const telegramId = (answer: unknown) => {
  const user = v.parse(
    v.object({ linked_accounts: v.array(v.looseObject({ telegram_user_id: v.optional(v.string()) })) }),
    answer,
  )
  return user.linked_accounts.find((account) => account.telegram_user_id)?.telegram_user_id ?? ''
}

forEachEngine((database) => {
  let world: TelegramWorld
  let browser: TelegramWorld['browser']
  let link: TelegramWorld['link']
  beforeEach(async () => {
    world = await telegramWorld(database(), telegram)
    ;({ browser, link } = world)
  })
  const accounts = () =>
    world.context.db.selectFrom('linked_accounts').select(['user_id', 'type', 'identifier']).execute()

  describe('linking', () => {
    // spec L1.7
    test('adds the account to the user, who then logs in with it', async () => {
      const { token, user } = await browser.login()
      expect(await link(token, { person: 'Ada Lovelace' })).toMatchObject({
        status: 200,
        answer: {
          id: user.id,
          linked_accounts: expect.arrayContaining([
            expect.objectContaining({ type: 'telegram', username: 'ada_lovelace' }),
          ]),
        },
      })
      const body = { telegram_web_app_data: await telegram.webApp({ person: 'Ada Lovelace' }) }
      const { answer } = await world.authenticate(body, world.newBrowser())
      expect(v.parse(sessionAnswer, answer).user.id).toBe(user.id)
    })

    // spec L4.15
    test('needs no captcha where a login needs one', async () => {
      const { token } = await browser.login()
      await world.set([
        ['captcha_site_key', 't:0x4AAAsite'],
        ['captcha_enabled', true],
      ])
      captchaVerifier.put(world.context.ports, { check: async () => ({ type: 'not passed' }) })
      const body = { telegram_web_app_data: await telegram.webApp({ person: 'Ada Lovelace' }) }
      expect(await world.authenticate(body, world.newBrowser())).toMatchObject({
        status: 400,
        answer: { code: 'invalid_captcha' },
      })
      expect(await link(token, { person: 'Ada Lovelace' })).toMatchObject({ status: 200 })
    })

    // spec L5.18
    test('is refused where linking is off, and login goes on', async () => {
      await world.set([['telegram_auth_config.link_enabled', false]])
      const { token } = await browser.login()
      expect(await link(token)).toMatchObject({
        status: 403,
        answer: {
          code: 'disallowed_login_method',
          details: { setting: 'telegram_auth_config.link_enabled' },
        },
      })
      expect(await accounts()).toHaveLength(1)
      expect(await world.login()).toMatchObject({ status: 200 })
    })

    test('of what is old, forged or used is refused, and links nothing', async () => {
      const { token } = await browser.login()
      expect(await link(token, { way: 'old' })).toMatchObject(refused('auth_date'))
      expect(await link(token, { way: 'forged' })).toMatchObject(refused('hash'))
      const body = { telegram_auth_result: await telegram.login({ person: 'Ben Okri' }) }
      await world.authenticate(body, world.newBrowser())
      expect(await browser.call('linkTelegram', { token, body })).toMatchObject(refused('used'))
      expect(await accounts()).toHaveLength(2)
    })

    // spec L5.16, L5.17
    test('of a second account is refused by its type', async () => {
      const { token } = await browser.login()
      await link(token, { person: 'Ada Lovelace' })
      expect(await link(token, { person: 'Ben Okri' })).toMatchObject({
        status: 400,
        answer: {
          code: 'cannot_link_more_of_type',
          error: 'User already has an account of type telegram linked.',
        },
      })
    })

    test('of an account that another user has is refused, and changes nothing', async () => {
      await world.loginAs('Ada Lovelace', world.newBrowser())
      const { token } = await browser.login()
      const before = await accounts()
      const body = { telegram_web_app_data: await telegram.webApp({ person: 'Ada Lovelace' }) }
      expect(await browser.call('linkTelegram', { token, body })).toMatchObject({
        status: 400,
        answer: {
          code: 'linked_to_another_user',
          error: 'This account has already been linked to another user.',
        },
      })
      expect(await accounts()).toEqual(before)
    })

    test('by several users at once: one has it, the others are told, and no row is half made', async () => {
      const proofs = [
        { telegram_auth_result: await telegram.login({ person: 'Ada Lovelace' }) },
        { telegram_web_app_data: await telegram.webApp({ person: 'Ada Lovelace' }) },
      ]
      const racers = []
      for (const [at, body] of proofs.entries()) {
        const from = world.newBrowser()
        racers.push({ from, body, token: (await from.login(`rival${at}@example.com`)).token })
      }
      const answers = await Promise.all(
        racers.map(({ from, token, body }) => from.call('linkTelegram', { token, body })),
      )
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
      expect(answers.find(({ status }) => status === 400)?.answer).toMatchObject({
        code: 'linked_to_another_user',
      })
      const owners = (await accounts()).filter(({ type }) => type === 'telegram')
      expect(owners).toHaveLength(1)
      expect(await world.audited('user.account_linked')).toEqual([
        { userId: owners[0]?.user_id, details: { account: 'telegram' } },
      ])
    })

    test('needs the session to be alive, and is not for a fork', async () => {
      const session = await browser.login()
      const forked = world.newBrowser()
      const fork = await forkInto(forked, browser, session)
      expect(await link(fork.token, {}, forked)).toMatchObject({
        status: 403,
        answer: { code: 'insufficient_scope' },
      })
      await browser.call('logout', { body: { refresh_token: session.refresh_token } })
      expect(await link(session.token)).toMatchObject({ status: 401 })
      expect(await accounts()).toHaveLength(1)
    })

    test('links nothing where the session ended after the call was let in', async () => {
      const { token, refresh_token } = await browser.login()
      const caller = await world.context.verifyToken(token)
      await browser.call('logout', { body: { refresh_token } })
      vi.spyOn(world.context, 'verifyToken').mockResolvedValue(caller)
      expect(await link(token)).toMatchObject({ status: 401, answer: { code: 'missing_or_invalid_token' } })
      expect(await accounts()).toHaveLength(1)
    })
  })

  describe('unlinking', () => {
    const unlink = (token: string, telegram_user_id: string) =>
      browser.call('unlinkTelegram', { token, body: { telegram_user_id } })

    // spec L7.16
    test('takes the account, and who logs in with it from then on is somebody new', async () => {
      const { token, user } = await browser.login()
      const id = telegramId((await link(token, { person: 'Ada Lovelace' })).answer)
      expect(await unlink(token, id)).toMatchObject({
        status: 200,
        answer: { id: user.id, linked_accounts: [{ type: 'email' }] },
      })
      const body = { telegram_web_app_data: await telegram.webApp({ person: 'Ada Lovelace' }) }
      const { answer } = await world.authenticate(body, world.newBrowser())
      expect(v.parse(sessionAnswer, answer).user.id).not.toBe(user.id)
    })

    test('of the last account is refused', async () => {
      const { token } = await world.loginAs('Ada Lovelace')
      const [{ identifier } = { identifier: '' }] = await accounts()
      expect(await unlink(token, identifier)).toMatchObject({
        status: 400,
        answer: { code: 'cannot_unlink_sole_account' },
      })
      expect(await accounts()).toHaveLength(1)
    })

    test('of an account that is not theirs is refused, and it stays', async () => {
      await world.loginAs('Ada Lovelace', world.newBrowser())
      const [{ identifier } = { identifier: '' }] = await accounts()
      const { token } = await browser.login()
      for (const id of [identifier, '1']) {
        expect(await unlink(token, id)).toMatchObject({
          status: 404,
          answer: { code: 'linked_account_not_found' },
        })
      }
      expect(await accounts()).toHaveLength(2)
    })

    test('works where the app has Telegram off', async () => {
      const { token } = await browser.login()
      const id = telegramId((await link(token)).answer)
      await world.set([['telegram_auth', false]])
      expect(await unlink(token, id)).toMatchObject({ status: 200 })
    })

    test('needs the session to be alive', async () => {
      const { token, refresh_token } = await browser.login()
      const id = telegramId((await link(token)).answer)
      await browser.call('logout', { body: { refresh_token } })
      expect(await unlink(token, id)).toMatchObject({ status: 401 })
    })
  })
}, telegramTestTables)
