/** Test accounts with fixed codes, in development apps. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { App } from '../../identity/apps/apps.ts'
import { setFields } from '../../identity/apps/manage.ts'
import type { TestBrowser } from '../../identity/sessions/testing/browser.ts'
import { forDefaultEngine } from '../../kernel/db/test-engines.ts'
import type { TestContext } from '../../testing/context.ts'
import { type SmsFixture, smsFixture, startTwilio } from '../sms/testing/fixture.ts'

const twilio = await startTwilio()
const address = 'tester@fieldnotes.test'
const accounts = (phone: string) => [
  { identifier: address, code: '424242' },
  { identifier: phone.replace(' ', ''), code: '242424' },
]
const wrong = { status: 422, answer: { code: 'invalid_credentials' } }

forDefaultEngine((database) => {
  let context: TestContext
  let app: App
  let browser: TestBrowser
  let phone = ''
  let newBrowser: SmsFixture['newBrowser']
  const set = async (...fields: readonly (readonly [string, unknown])[]) => {
    await setFields(context.db, context.clock, app.id, fields)
    context.clock.advanceSeconds(2)
  }
  beforeEach(async () => {
    ;({ context, app, browser, phone, newBrowser } = await smsFixture(database(), twilio))
    await set(['test_accounts', accounts(phone)])
  })

  const sendMail = (from = browser, email = address) => from.call('sendEmailCode', { body: { email } })
  const byMail = (code: string, from = browser, email = address) =>
    from.call('loginWithEmailCode', { body: { email, code } })
  const sendSms = () => browser.call('sendSmsCode', { body: { phoneNumber: phone } })
  const bySms = (code: string) => browser.call('loginWithSmsCode', { body: { phoneNumber: phone, code } })

  describe('an address with a fixed code', () => {
    test('an address with a fixed code logs in with it and receives no mail', async () => {
      expect(await sendMail()).toMatchObject({ status: 200 })
      expect(await byMail('424241')).toMatchObject(wrong)
      expect(await byMail('424242')).toMatchObject({
        status: 200,
        answer: { user: { linked_accounts: [{ address }] } },
      })
      expect(context.mails).toEqual([])
    })

    test('a fixed code is accepted once per request, in the requesting browser', async () => {
      await sendMail()
      expect(await byMail('424242', newBrowser())).toMatchObject(wrong)
      expect(await byMail('424242')).toMatchObject({ status: 200 })
      expect(await byMail('424242')).toMatchObject(wrong)
    })

    test('a fixed code has no send limit, but five wrong guesses lock it', async () => {
      for (let turn = 0; turn < 8; turn += 1) expect(await sendMail()).toMatchObject({ status: 200 })
      for (let turn = 0; turn < 5; turn += 1) expect(await byMail('000000')).toMatchObject(wrong)
      expect(await byMail('000000')).toMatchObject({ status: 429 })
    })

    test('a fixed code does not affect other addresses, which receive mails', async () => {
      await sendMail(browser, 'ada@example.com')
      expect(context.mails.map(({ to }) => to)).toEqual(['ada@example.com'])
      const [code] = /\d{6}/.exec(context.mails[0]?.subject ?? '') ?? []
      if (code !== '424242') expect(await byMail('424242', browser, 'ada@example.com')).toMatchObject(wrong)
    })
  })

  test('a number with a fixed code logs in with it, without a call to Twilio', async () => {
    const before = await twilio.counts()
    expect(await sendSms()).toMatchObject({ status: 200 })
    expect(await bySms('424242')).toMatchObject(wrong)
    expect(await bySms('242424')).toMatchObject({
      status: 200,
      answer: { user: { linked_accounts: [{ phoneNumber: phone }] } },
    })
    expect(await twilio.counts()).toEqual(before)
  })

  test('the public app config contains no fixed code', async () => {
    const answer = await browser.call('appConfig', { proof: 'none' })
    expect(answer).toMatchObject({ status: 200 })
    expect(JSON.stringify(answer)).not.toMatch(/424242|242424|test_accounts/)
  })

  test('a production app has no test accounts, and an app with some can not become one', async () => {
    const refused = 'test_accounts are for development apps: whoever knows a fixed code can log in.'
    await context.db.updateTable('apps').set({ allowed_origins: '["https://app.example"]' }).execute()
    await expect(set(['environment', 'production'])).rejects.toThrow(refused)
    await set(['test_accounts', []])
    await set(['environment', 'production'])
    await expect(set(['test_accounts', accounts(phone)])).rejects.toThrow(refused)
  })

  test('an app that became a production app otherwise ignores fixed codes', async () => {
    await context.db
      .updateTable('apps')
      .set({ environment: 'production', allowed_origins: '["https://app.example"]' })
      .execute()
    context.clock.advanceSeconds(2)
    await sendMail()
    expect(context.mails.map(({ to }) => to)).toEqual([address])
  })

  test.each([
    ['an address that is none', { identifier: 'tester', code: '424242' }],
    ['a number with letters', { identifier: '+1202555CALL', code: '424242' }],
    ['a code of 5 digits', { identifier: address, code: '42424' }],
    ['a code of letters', { identifier: address, code: 'abcdef' }],
  ])('rejects a test account with %s', async (_, account) => {
    await expect(set(['test_accounts', [account]])).rejects.toThrow(/test_accounts/)
  })

  test('allows up to 20 test accounts', async () => {
    const many = (length: number) =>
      Array.from({ length }, (_, at) => ({ identifier: `tester${at}@fieldnotes.test`, code: '424242' }))
    await set(['test_accounts', many(20)])
    await expect(set(['test_accounts', many(21)])).rejects.toThrow(/test_accounts/)
  })
})
