/** Mails about logins on new devices, over HTTP. */
import { beforeEach, expect, test } from 'vitest'
import { setFields } from '../../identity/apps/manage.ts'
import { type TestBrowser, testBrowser, testServer } from '../../identity/sessions/testing/browser.ts'
import { mailer } from '../../integrations/mail/mail.ts'
import { backgroundTasks, createBackgroundTasks } from '../../kernel/background-tasks.ts'
import { forDefaultEngine } from '../../kernel/db/test-engines.ts'
import { createLog } from '../../kernel/log.ts'
import { type TestContext, testApp, testContext } from '../../testing/context.ts'

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:153.0) Gecko/20100101 Firefox/153.0'
const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1'
const email = 'ada@example.com'

forDefaultEngine((database) => {
  let context: TestContext
  let app: Awaited<ReturnType<typeof testApp>>
  let newBrowser: () => TestBrowser

  beforeEach(async () => {
    context = await testContext(database())
    app = await testApp(context)
    const server = testServer(context)
    newBrowser = () => testBrowser(server, context, app)
  })

  /** Logs in and returns the status, and the mails about new devices that it caused. */
  async function logIn(browser: TestBrowser, headers: Readonly<Record<string, string>> = {}) {
    const code = await browser.codeFor(email)
    const count = context.mails.length
    const { status } = await browser.call('loginWithEmailCode', { body: { email, code }, headers })
    expect(context.mails).toHaveLength(count)
    await context.runBackgroundTasks()
    context.clock.advanceSeconds(60)
    return { status, mails: context.mails.slice(count) }
  }

  test('mails the browser, the system and the minute of a login on a new device', async () => {
    expect((await logIn(newBrowser(), { 'user-agent': firefox })).mails).toEqual([])
    const { mails } = await logIn(newBrowser(), { 'user-agent': iphone, 'x-forwarded-for': '203.0.113.7' })
    expect(mails).toHaveLength(1)
    expect(mails[0]).toMatchObject({
      to: email,
      subject: 'There was a login to your Fieldnotes account on a new device',
      text: `There was a login to your Fieldnotes account on a new device.

It was with Safari on iPhone, on January 1, 2026 at 12:01 AM UTC.

If this was you, there is nothing to do. If it was not, someone else is using your account: open it in Fieldnotes, end this session or log out everywhere, and contact Fieldnotes.
`,
    })
    expect(JSON.stringify(mails)).not.toMatch(/203\.0\.113|127\.0\.0\.1/)
  })

  test('mails in the language of the dialog, also if the browser is unknown', async () => {
    await logIn(newBrowser())
    const [mail] = (await logIn(newBrowser(), { 'accept-language': 'ar' })).mails
    expect(mail?.subject).toBe('جرى تسجيل الدخول إلى حسابك في Fieldnotes من جهاز جديد')
    expect(mail?.text).toContain('متصفح غير معروف')
  })

  test('mails no first login, and no later login with a known browser', async () => {
    const browser = newBrowser()
    expect((await logIn(browser)).mails).toEqual([])
    const other = newBrowser()
    await logIn(other)
    context.clock.advanceSeconds(80 * 86_400)
    await context.db.deleteFrom('sessions').execute()
    expect((await logIn(other)).mails).toEqual([])
    expect((await logIn(browser)).mails).toEqual([])
  })

  test('mails nothing if the app has turned it off', async () => {
    await setFields(context.db, context.clock, app.id, [['new_device_mails', false]])
    context.clock.advanceSeconds(5)
    await logIn(newBrowser())
    expect((await logIn(newBrowser())).mails).toEqual([])
  })

  test('mails a user at most ten times a day', async () => {
    await logIn(newBrowser())
    for (let login = 0; login < 10; login += 1) {
      context.clock.advanceSeconds(3_600)
      expect((await logIn(newBrowser())).mails).toHaveLength(1)
    }
    expect((await logIn(newBrowser())).mails).toEqual([])
    context.clock.advanceSeconds(86_400)
    expect((await logIn(newBrowser())).mails).toHaveLength(1)
  })

  test('a login neither waits for the mail nor fails with it', async () => {
    await logIn(newBrowser())
    const tasks = createBackgroundTasks(createLog('silent'))
    backgroundTasks.set(context.ports, tasks)
    let end = () => {}
    const isDown = new Promise<void>((resolve) => {
      end = resolve
    })
    let attempts = 0
    const browser = newBrowser()
    const code = await browser.codeFor(email)
    mailer.set(context.ports, {
      async send() {
        attempts += 1
        await isDown
        throw new Error('The mail server is down')
      },
    })
    expect(await browser.call('loginWithEmailCode', { body: { email, code } })).toMatchObject({ status: 200 })
    end()
    await tasks.close()
    expect(attempts).toBe(1)
  })
})
