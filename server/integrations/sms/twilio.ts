/**
 * A client of Twilio's REST APIs: Verify sends and checks codes, Programmable Messaging sends texts.
 * https://www.twilio.com/docs/verify/api
 * https://www.twilio.com/docs/messaging/api/message-resource
 */
import * as v from 'valibot'
import { fetchThirdParty } from '../../kernel/third-party-fetch.ts'
import type { TwilioAccount, TwilioMessaging } from './environment.ts'
import type { SmsTexter, TextResult } from './texter.ts'
import type { SmsRefusal, SmsVerifier } from './verifier.ts'

const sentVerification = v.object({ sid: v.pipe(v.string(), v.regex(/^VE[0-9a-fA-F]{32}$/)) })
const checkedVerification = v.object({ status: v.string(), valid: v.boolean() })
const twilioError = v.object({ code: v.number() })

/**
 * Errors that depend on the number or the rate (https://www.twilio.com/docs/api/errors). Only the operator can fix all
 * others.
 */
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
  const response = await fetchThirdParty(url, {
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
      const parsed = v.safeParse(sentVerification, answer.body)
      return answer.ok && parsed.success
        ? { type: 'sent', verification: parsed.output.sid }
        : toRefusal(answer)
    },

    async check({ verification, code }, signal) {
      const answer = await post('VerificationCheck', { VerificationSid: verification, Code: code }, signal)
      if (getErrorCode(answer) === notFound) return { type: 'gone' }
      const parsed = v.safeParse(checkedVerification, answer.body)
      if (!answer.ok || !parsed.success) return toRefusal(answer)
      const { status, valid } = parsed.output
      return { type: valid && status === 'approved' ? 'right' : 'wrong' }
    },
  }
}

function getErrorCode({ body }: Answer): number | undefined {
  const parsed = v.safeParse(twilioError, body)
  return parsed.success ? parsed.output.code : undefined
}

function toRefusal(answer: Answer): SmsRefusal {
  const code = getErrorCode(answer)
  const refusal = code === undefined ? undefined : refusals[code]
  return refusal ?? { type: 'failed', why: `status ${answer.status}, code ${code ?? 'none'}` }
}

/** `MM` marks a message with media. Long texts may get it as well. */
const createdMessage = v.object({ sid: v.pipe(v.string(), v.regex(/^(?:SM|MM)[0-9a-fA-F]{32}$/)) })

/** Twilio rejects longer messages with error 21617. */
const MAX_TEXT_LENGTH = 1_600

export function createTwilioTexter({ messagesUrl, authorization, service }: TwilioMessaging): SmsTexter {
  return {
    async send({ e164, text }, signal) {
      const form = { To: e164, MessagingServiceSid: service, Body: text.slice(0, MAX_TEXT_LENGTH) }
      try {
        const answer = await postForm(messagesUrl, authorization, form, signal)
        return answer.ok && v.is(createdMessage, answer.body) ? { type: 'sent' } : toRefusal(answer)
      } catch (cause) {
        return { type: 'failed', why: String(cause) } satisfies TextResult
      }
    },
  }
}
