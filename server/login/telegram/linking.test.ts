import { beforeEach, describe, expect, test } from 'vitest'
import { captchaVerifier } from '../../integrations/captcha/captcha.ts'
import { forEachEngine } from '../../kernel/db/test-engines.ts'
import { linkingFacts } from '../testing/linking.facts.ts'
import { refused, startTelegram, type TelegramFixture, telegramFixture } from './testing/fixture.ts'

const telegram = await startTelegram()

forEachEngine((database) => {
  let fixture: TelegramFixture
  let browser: TelegramFixture['browser']
  let link: TelegramFixture['link']
  beforeEach(async () => {
    fixture = await telegramFixture(database(), telegram)
    ;({ browser, link } = fixture)
  })
  const accounts = () =>
    fixture.context.db.selectFrom('linked_accounts').select(['user_id', 'type', 'identifier']).execute()

  // spec L1.7, L5.16, L5.17, L7.16
  linkingFacts(() => ({
    fixture,
    type: 'telegram',
    setting: 'telegram_auth',
    calls: { login: 'loginWithTelegram', link: 'linkTelegram', unlink: 'unlinkTelegram' },
    proof: async (person) => ({ telegram_auth_result: await telegram.anotherLogin(person) }),
    named: (telegram_user_id) => ({ telegram_user_id }),
    shown: { username: 'ada_lovelace' },
  }))

  describe('linking', () => {
    // spec L4.15
    test('requires no captcha, unlike a login', async () => {
      const { token } = await browser.login()
      await fixture.set([
        ['captcha_site_key', 't:0x4AAAsite'],
        ['captcha_enabled', true],
      ])
      captchaVerifier.set(fixture.context.ports, { check: async () => ({ type: 'not-passed' }) })
      const body = { telegram_web_app_data: await telegram.webApp({ person: 'Ada Lovelace' }) }
      expect(await fixture.authenticate(body, fixture.newBrowser())).toMatchObject({
        status: 400,
        answer: { code: 'invalid_captcha' },
      })
      expect(await link(token, { person: 'Ada Lovelace' })).toMatchObject({ status: 200 })
    })

    // spec L5.18
    test('is refused if linking is disabled, while logins continue', async () => {
      await fixture.set([['telegram_auth_config.link_enabled', false]])
      const { token } = await browser.login()
      expect(await link(token)).toMatchObject({
        status: 403,
        answer: {
          code: 'disallowed_login_method',
          details: { setting: 'telegram_auth_config.link_enabled' },
        },
      })
      expect(await accounts()).toHaveLength(1)
      expect(await fixture.login()).toMatchObject({ status: 200 })
    })

    test('of expired, forged or used data is refused and links nothing', async () => {
      const { token } = await browser.login()
      expect(await link(token, { way: 'old' })).toMatchObject(refused('auth_date'))
      expect(await link(token, { way: 'forged' })).toMatchObject(refused('hash'))
      const body = { telegram_auth_result: await telegram.login({ person: 'Ben Okri' }) }
      await fixture.authenticate(body, fixture.newBrowser())
      expect(await browser.call('linkTelegram', { token, body })).toMatchObject(refused('used'))
      expect(await accounts()).toHaveLength(2)
    })
  })
})
