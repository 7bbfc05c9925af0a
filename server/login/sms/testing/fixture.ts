/** Login by SMS over HTTP, with Twilio Verify played by the sandbox. */
import { randomInt } from 'node:crypto'
import { smsEnvironment } from '../../../integrations/sms/environment.ts'
import { createTwilioVerifier } from '../../../integrations/sms/twilio.ts'
import { type SmsVerifier, smsVerifier } from '../../../integrations/sms/verifier.ts'
import type { Database } from '../../../kernel/db/database.ts'
import { newRegistry } from '../../../kernel/registry.ts'
import { appFixture } from '../../../testing/fixture.ts'
import { startSandbox } from '../../../testing/sandbox.ts'

export type Twilio = {
  verifier: SmsVerifier
  setFault: (fault: string) => Promise<unknown>
  /** Returns the number of checks so far. */
  counts: () => Promise<{ sendings: number; checks: number }>
  /** Returns the code of the oldest unread message to this number. */
  codeSentTo: (phoneNumber: string) => Promise<string>
}

export async function startTwilio(): Promise<Twilio> {
  const sandbox = await startSandbox()
  const parts = newRegistry('a test')
  const account = `http://AC${'0'.repeat(32)}:secret@${new URL(sandbox).host}`
  smsEnvironment.parse({ TWILIO_VERIFY_URL: `${account}/v2/Services/VA${'1'.repeat(32)}` }, parts)
  const found = smsEnvironment.read({ parts }).TWILIO_VERIFY_URL
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
/** The response to every wrong guess. */
export const wrong = {
  status: 422,
  answer: { error: 'Invalid or expired verification code', code: 'invalid_credentials' },
}
export const newNumber = () => `+1 20255${String(randomInt(100_000)).padStart(5, '0')}`

/** An app with login by SMS, a browser, and an unused phone number. */
export async function smsFixture(database: Database, { verifier, codeSentTo }: Twilio) {
  const fixture = await appFixture(database, [['sms_auth', true]])
  const { browser, context } = fixture
  smsVerifier.set(context.ports, verifier)
  const phone = newNumber()
  const named = (requestId: string | undefined) => (requestId === undefined ? {} : { requestId })
  const send = (from = browser, requestId?: string, phoneNumber = phone) =>
    from.call('sendSmsCode', { body: { phoneNumber }, ...named(requestId) })
  return {
    ...fixture,
    phone,
    send,
    async codeFor(from = browser, phoneNumber = phone) {
      const { status, answer } = await send(from, undefined, phoneNumber)
      if (status !== 200) throw new Error(`No code: ${status} ${JSON.stringify(answer)}`)
      return codeSentTo(phoneNumber)
    },
    login: (code: string, from = browser, requestId?: string, phoneNumber = phone) =>
      from.call('loginWithSmsCode', { body: { phoneNumber, code }, ...named(requestId) }),
  }
}
export type SmsFixture = Awaited<ReturnType<typeof smsFixture>>
