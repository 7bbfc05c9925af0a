/** Mails use the language of the dialog that made the call, directly or through the wallet frame. */
import * as OTPAuth from 'otpauth'
import { beforeEach, expect, test } from 'vitest'
import { type MfaFixture, mfaFixture } from '../../account/verification/testing/fixture.ts'
import type { TestBrowser } from '../../identity/sessions/testing/browser.ts'
import { forDefaultEngine } from '../../kernel/db/test-engines.ts'
import type { Mail } from './mailer.ts'

type CallName = Parameters<TestBrowser['call']>[0]

const email = 'ada@example.com'
const right = '<html lang="ar" dir="rtl">'
const left = '<html lang="en" dir="ltr">'

/** Returns the readable parts of a mail without those that are the same in every language. */
const readIn = ({ subject, text }: Mail) =>
  [subject, text]
    .join('\n')
    .replace(/^@dialog\.localhost #\d{6}$/m, '')
    .replaceAll('Fieldnotes', '')
    .replace(/^http:\/\/dialog\.localhost:4000\/take-back\/\S+$/m, '')
    .replace(/ UTC\b/, '')

forDefaultEngine((database) => {
  let fixture: MfaFixture
  beforeEach(async () => {
    fixture = await mfaFixture(database())
  })

  /** A test browser that records the result of each call. */
  function saying(languageOf: (name: CallName) => string): TestBrowser {
    const { browser } = fixture
    return {
      ...browser,
      call: (name, options) =>
        browser.call(name, { ...options, headers: { 'accept-language': languageOf(name) } }),
    }
  }
  async function codeMailedIn(language: string): Promise<readonly [code: string, mail: Mail]> {
    await saying(() => language).call('sendEmailCode', { body: { email } })
    const mail = fixture.context.mails.at(-1)
    if (!mail) throw new Error('Nothing was mailed')
    return [mail.subject.slice(0, 6), mail]
  }

  test('sends a code in Arabic to an Arabic dialog, with ASCII digits', async () => {
    const [code, mail] = await codeMailedIn('ar')
    expect(code).toMatch(/^[0-9]{6}$/)
    expect(mail.subject).toBe(`${code} هو رمزك في Fieldnotes`)
    expect(mail.text).toContain('صالح لمدة 10 دقائق')
    expect(mail.text.trimEnd().split('\n').at(-1)).toBe(`@dialog.localhost #${code}`)
    expect(mail.html).toContain(right)
    expect(readIn(mail)).not.toMatch(/[a-z٠-٩]/i)
    expect(await fixture.browser.call('loginWithEmailCode', { body: { email, code } })).toMatchObject({
      status: 200,
    })
  })

  test('sends a code in English if the call names no language or an unsupported one', async () => {
    for (const language of ['en', 'tlh, constructor', '']) {
      const [code, mail] = await codeMailedIn(language)
      expect(mail.subject).toBe(`${code} is your Fieldnotes code`)
      expect(mail.html).toContain(left)
      fixture.context.clock.advanceSeconds(60)
    }
  })

  test('sends notices about calls of the wallet frame in the language of the dialog, not of the browser', async () => {
    const session = await fixture.browser.login(email)
    const address = await fixture.makeWallet(session)
    const browser = saying((name) => (name === 'walletToken' ? 'ar' : 'en-US,en;q=0.9'))
    const told: (readonly [subject: string, html: string])[] = []
    const tell = async (made: Promise<{ status: number }>) => {
      const before = fixture.context.mails.length
      expect(await made).toMatchObject({ status: 200 })
      for (const mail of fixture.context.mails.slice(before)) {
        expect(readIn(mail)).not.toMatch(/[a-z]/i)
        told.push([mail.subject, mail.html.slice(16, 42)])
      }
    }
    await tell(fixture.inOperation(session, { purpose: 'export', address }, browser).call('releaseShares'))
    const inMfa = fixture.inMfa(session, browser)
    const { totpAuthUrl } = await fixture.beginTotp(inMfa)
    const app = OTPAuth.URI.parse(totpAuthUrl)
    const code = () => app.generate({ timestamp: fixture.context.clock.nowMs() })
    await tell(inMfa('enrollTotp', { code: code() }))
    fixture.context.clock.advanceSeconds(30)
    const removal = fixture.inMfa(session, browser)
    const mfa_token = fixture.tokenIn(await removal('verifyTotp', { code: code() }))
    await tell(removal('unenrollTotp', { mfa_token }))
    await tell(fixture.inOperation(session, { purpose: 'delete-account' }, browser).call('deleteAccount'))
    expect(told).toEqual([
      ['تم تصدير مفتاح محفظتك من Fieldnotes', right],
      ['تمت إضافة التحقق بتطبيق المصادقة إلى حسابك في Fieldnotes', right],
      ['تمت إزالة التحقق بتطبيق المصادقة من حسابك في Fieldnotes', right],
      ['تم حذف حسابك في Fieldnotes', right],
    ])
  })
})
