/** The call of Twilio Programmable Messaging that sends a text. */
import { randomUUID } from 'node:crypto'
import type { FaultSwitch } from '../faults.ts'
import { type Route, readForm, sendJson } from '../http.ts'
import type { Inbox } from '../mail/inbox.ts'
import { errorByFault, fail, parseAccount } from '../twilio-verify/refusals.ts'

const LONGEST_TEXT = 1_600

export const messagingRoutes = (inbox: Inbox, faults: FaultSwitch): readonly Route[] => [send(inbox, faults)]

/** https://www.twilio.com/docs/messaging/api/message-resource#create-a-message-resource */
const send = (inbox: Inbox, faults: FaultSwitch): Route => ({
  method: 'POST',
  path: /^\/2010-04-01\/Accounts\/(AC[0-9a-f]{32})\/Messages\.json$/,
  handle: async ({ request, response, parts: [account = ''] }) => {
    const fault = await faults.afterStall('twilio')
    if (fault === 'blocked-region') return fail(response, 'messagingRegion')
    if (fault !== 'none') return fail(response, errorByFault[fault])
    const speaker = parseAccount(request)
    // An API key may act for any account; an account only for itself.
    if (speaker === undefined || (speaker.startsWith('AC') && speaker !== account)) {
      return fail(response, 'credentials')
    }
    const form = await readForm(request)
    const [to, body] = [form?.get('To') ?? '', form?.get('Body') ?? '']
    const [service, from] = [form?.get('MessagingServiceSid'), form?.get('From')]
    if (!/^\+[1-9]\d{6,14}$/.test(to)) return fail(response, 'invalidTo')
    if (body === '') return fail(response, 'invalidBody')
    if (body.length > LONGEST_TEXT) return fail(response, 'longBody')
    if (!from && !/^MG[0-9a-f]{32}$/.test(service ?? '')) return fail(response, 'noSender')
    const raw = new TextEncoder().encode(body)
    inbox.add({
      from: 'Twilio Messaging',
      to: [to],
      subject: '',
      text: body,
      html: null,
      headers: [],
      attachments: [],
      raw,
    })
    const sid = `SM${randomUUID().replaceAll('-', '')}`
    sendJson(
      response,
      {
        sid,
        account_sid: account,
        messaging_service_sid: service ?? null,
        from: from ?? null,
        to,
        body,
        status: service ? 'accepted' : 'queued',
        direction: 'outbound-api',
        num_segments: '0',
        num_media: '0',
        api_version: '2010-04-01',
        date_created: new Date().toUTCString(),
        date_updated: new Date().toUTCString(),
        date_sent: null,
        error_code: null,
        error_message: null,
        price: null,
        price_unit: null,
        uri: `/2010-04-01/Accounts/${account}/Messages/${sid}.json`,
        subresource_uris: {},
      },
      201,
    )
  },
})
