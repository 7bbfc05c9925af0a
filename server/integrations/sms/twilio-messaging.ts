/** Twilio's Programmable Messaging: https://www.twilio.com/docs/messaging/api/message-resource */
import * as v from 'valibot'
import type { TwilioMessaging } from './environment.ts'
import type { SmsTexter, TextSending } from './texter.ts'
import { postForm, refusalOf } from './twilio.ts'

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
