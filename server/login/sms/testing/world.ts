/** Login by SMS over HTTP, with Twilio Verify as the sandbox speaks it. */
import { randomInt } from 'node:crypto'
import type { Server } from '../../../app.ts'
import type { App } from '../../../apps/apps.ts'
import { setFields } from '../../../apps/manage.ts'
import type { Database } from '../../../db/database.ts'
import { type TestBrowser, testBrowser, testServer } from '../../../sessions/testing/browser.ts'
import { createTokenVerifier } from '../../../sessions/verifier.ts'
import { newShelf } from '../../../shelf.ts'
import { smsEnvironment } from '../../../sms/environment.ts'
import { createTwilioVerifier } from '../../../sms/twilio.ts'
import { type SmsVerifier, smsVerifier } from '../../../sms/verifier.ts'
import { type TestContext, testApp, testContext } from '../../../testing/context.ts'
import { listeningLog } from '../../../testing/log.ts'
import { startSandbox } from '../../../testing/sandbox.ts'

export type Twilio = {
  readonly verifier: SmsVerifier
  readonly setFault: (fault: string) => Promise<unknown>
  /** How often it was asked so far. */
  readonly counts: () => Promise<{ readonly sendings: number; readonly checks: number }>
  /** The code of the oldest message to this number that was not read yet, once there is one. */
  readonly codeSentTo: (phoneNumber: string) => Promise<string>
}

export async function startTwilio(): Promise<Twilio> {
  const sandbox = await startSandbox()
  const parts = newShelf('a test')
  const account = `http://AC${'0'.repeat(32)}:secret@${new URL(sandbox).host}`
  smsEnvironment.parse({ TWILIO_VERIFY_URL: `${account}/v2/Services/VA${'1'.repeat(32)}` }, parts)
  const found = smsEnvironment.of({ parts }).TWILIO_VERIFY_URL
  if (!found) throw new Error('There is an account')
  const heard = new Map<string, string>()
  return {
    verifier: createTwilioVerifier(found),
    setFault: (fault) =>
      fetch(`${sandbox}/api/faults`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ twilio: fault }),
      }),
    counts: async () => (await fetch(`${sandbox}/api/twilio`)).json(),
    async codeSentTo(phoneNumber) {
      const to = phoneNumber.replace(' ', '')
      const query = new URLSearchParams({ to, after: heard.get(to) ?? '0', timeoutMs: '5000' })
      const { message, cursor } = await (await fetch(`${sandbox}/api/messages/next?${query}`)).json()
      heard.set(to, String(cursor))
      return /\b\d{6}\b/.exec(message.text)?.[0] ?? ''
    },
  }
}

export const wrongFor = (code: string) => (code === '000000' ? '111111' : '000000')
/** One answer for every guess that is not right. */
export const wrong = {
  status: 422,
  answer: { error: 'Invalid or expired verification code', code: 'invalid_credentials' },
}
export const newNumber = () => `+1 20255${String(randomInt(100_000)).padStart(5, '0')}`

export type SmsWorld = {
  readonly context: TestContext
  readonly app: App
  readonly server: Server
  readonly browser: TestBrowser
  readonly phone: string
  /** What the operator reads, a line each. */
  readonly logged: () => readonly unknown[]
  readonly newBrowser: () => TestBrowser
  readonly send: (
    from?: TestBrowser,
    requestId?: string,
    phoneNumber?: string,
  ) => ReturnType<TestBrowser['call']>
  readonly codeFor: (from?: TestBrowser, phoneNumber?: string) => Promise<string>
  readonly login: (
    code: string,
    from?: TestBrowser,
    requestId?: string,
    phoneNumber?: string,
  ) => ReturnType<TestBrowser['call']>
}

/** An app with login by SMS, a browser, and a number that nobody had before. */
export async function smsWorld(database: Database, { verifier, codeSentTo }: Twilio): Promise<SmsWorld> {
  const { log, logged } = listeningLog()
  const context = await testContext(database, {
    log,
    verifyToken: (own) => (token) => createTokenVerifier(own())(token),
  })
  smsVerifier.put(context.ports, verifier)
  const app = await testApp(context)
  await setFields(context.db, context.clock, app.id, [['sms_auth', true]])
  context.clock.advanceSeconds(5)
  const server = testServer(context)
  const browser = testBrowser(server, context, app)
  const phone = newNumber()
  const named = (requestId: string | undefined) => (requestId === undefined ? {} : { requestId })
  const send: SmsWorld['send'] = (from = browser, requestId, phoneNumber = phone) =>
    from.call('sendSmsCode', { body: { phoneNumber }, ...named(requestId) })
  return {
    context,
    app,
    server,
    browser,
    phone,
    logged,
    newBrowser: () => testBrowser(server, context, app),
    send,
    async codeFor(from = browser, phoneNumber = phone) {
      const { status, answer } = await send(from, undefined, phoneNumber)
      if (status !== 200) throw new Error(`No code: ${status} ${JSON.stringify(answer)}`)
      return codeSentTo(phoneNumber)
    },
    login: (code, from = browser, requestId, phoneNumber = phone) =>
      from.call('loginWithSmsCode', { body: { phoneNumber, code }, ...named(requestId) }),
  }
}
