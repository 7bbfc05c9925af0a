/**
 * Twilio over its REST APIs: Verify sends codes and checks them, Programmable Messaging sends texts.
 * https://www.twilio.com/docs/verify/api
 * https://www.twilio.com/docs/messaging/api/message-resource
 */
import * as v from 'valibot'
import { askOutside } from '../../kernel/outside.ts'
import type { TwilioAccount, TwilioMessaging } from './environment.ts'
import type { SmsTexter, TextSending } from './texter.ts'
import type { SmsRefusal, SmsVerifier } from './verifier.ts'

const sent = v.object({ sid: v.pipe(v.string(), v.regex(/^VE[0-9a-fA-F]{32}$/)) })
const checked = v.object({ status: v.string(), valid: v.boolean() })
const refused = v.object({ code: v.number() })

/** https://www.twilio.com/docs/api/errors. What is not here is a failure that only the operator can mend. */
const refusals: Readonly<Record<number, SmsRefusal>> = {
  20429: { type: 'too many' },
  21211: { type: 'number' },
  21408: { type: 'region' },
  21610: { type: 'unsubscribed' },
  21614: { type: 'number' },
  60200: { type: 'number' },
  60202: { type: 'too many' },
  60203: { type: 'too many' },
  60205: { type: 'number' },
  60220: { type: 'region' },
  60410: { type: 'region' },
  60605: { type: 'region' },
}
const notFound = 20404

type Answer = { ok: boolean; status: number; body: unknown }

async function postForm(
  url: string,
  authorization: string,
  form: Record<string, string>,
  signal?: AbortSignal,
): Promise<Answer> {
  const response = await askOutside(url, {
    party: 'twilio',
    method: 'POST',
    headers: { authorization, accept: 'application/json' },
    body: new URLSearchParams(form),
    ...(signal && { signal }),
  })
  const body = await response.json().catch(() => undefined)
  return { ok: response.ok, status: response.status, body }
}

export function createTwilioVerifier({ serviceUrl, authorization }: TwilioAccount): SmsVerifier {
  const post = (path: string, form: Record<string, string>, signal: AbortSignal) =>
    postForm(`${serviceUrl}/${path}`, authorization, form, signal)

  return {
    async send({ e164, appName }, signal) {
      const answer = await post(
        'Verifications',
        { To: e164, Channel: 'sms', CustomFriendlyName: appName },
        signal,
      )
      const found = v.safeParse(sent, answer.body)
      return answer.ok && found.success ? { type: 'sent', verification: found.output.sid } : refusalOf(answer)
    },

    async check({ verification, code }, signal) {
      const answer = await post('VerificationCheck', { VerificationSid: verification, Code: code }, signal)
      if (codeOf(answer) === notFound) return { type: 'gone' }
      const found = v.safeParse(checked, answer.body)
      if (!answer.ok || !found.success) return refusalOf(answer)
      const { status, valid } = found.output
      return { type: valid && status === 'approved' ? 'right' : 'wrong' }
    },
  }
}

function codeOf({ body }: Answer): number | undefined {
  const found = v.safeParse(refused, body)
  return found.success ? found.output.code : undefined
}

function refusalOf(answer: Answer): SmsRefusal {
  const code = codeOf(answer)
  const known = code === undefined ? undefined : refusals[code]
  return known ?? { type: 'failed', why: `status ${answer.status}, code ${code ?? 'none'}` }
}

/** `MM` where it goes out as several parts with media; ours have none. */
const created = v.object({ sid: v.pipe(v.string(), v.regex(/^(?:SM|MM)[0-9a-fA-F]{32}$/)) })

/** Above it Twilio refuses the message (21617). */
const LONGEST = 1_600

export function createTwilioTexter({ messagesUrl, authorization, service }: TwilioMessaging): SmsTexter {
  return {
    async send({ e164, text }, signal) {
      const form = { To: e164, MessagingServiceSid: service, Body: text.slice(0, LONGEST) }
      try {
        const answer = await postForm(messagesUrl, authorization, form, signal)
        return answer.ok && v.is(created, answer.body) ? { type: 'sent' } : refusalOf(answer)
      } catch (cause) {
        return { type: 'failed', why: String(cause) } satisfies TextSending
      }
    },
  }
}
