/** The two calls of Twilio Verify that a login needs. Messages go to the inbox. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FaultSwitch } from '../faults.ts'
import { type Route, readForm, sendJson } from '../http.ts'
import type { Inbox } from '../mail/inbox.ts'
import { errorByFault, fail, parseAccount } from './refusals.ts'
import type { Verification, Verify } from './verify.ts'

const common = (account: string, service: string, verification: Verification) => ({
  sid: verification.sid,
  service_sid: service,
  account_sid: account,
  to: verification.to,
  channel: 'sms',
  amount: null,
  payee: null,
  date_created: new Date(verification.createdAt).toISOString(),
  date_updated: new Date(verification.sendings.at(-1)?.at ?? verification.createdAt).toISOString(),
})

export const twilioRoutes = (verify: Verify, inbox: Inbox, faults: FaultSwitch): readonly Route[] => {
  /** Returns the account and form of a call, or undefined if it has already sent a response. */
  const admit = async (request: IncomingMessage, response: ServerResponse) => {
    const fault = await faults.afterStall('twilio')
    if (fault !== 'none') return fail(response, errorByFault[fault])
    const account = parseAccount(request)
    if (account === undefined) return fail(response, 'credentials')
    return { account, form: await readForm(request) }
  }

  const deliver = ({ to, code }: Verification, appName: string) => {
    const text = `Your ${appName} verification code is: ${code}. Don't share this code with anyone.`
    const from = 'Twilio Verify'
    const raw = new TextEncoder().encode(text)
    inbox.add({ from, to: [to], subject: '', text, html: null, headers: [], attachments: [], raw })
  }

  const send: Route = {
    method: 'POST',
    path: /^\/v2\/Services\/(VA[0-9a-f]{32})\/Verifications$/,
    handle: async ({ request, response, parts: [service = ''] }) => {
      const admitted = await admit(request, response)
      if (!admitted) return
      const { account, form } = admitted
      if (form?.get('Channel') !== 'sms') return fail(response, 'invalidParameter')
      const sending = verify.send(form.get('To') ?? '')
      if (sending.type === 'invalid-number') return fail(response, 'invalidParameter')
      if (sending.type === 'too-many-sendings') return fail(response, 'sendings')
      const { verification } = sending
      deliver(verification, form.get('CustomFriendlyName') ?? 'Sandbox')
      const attempts = verification.sendings.map(({ sid, at }) => ({
        attempt_sid: sid,
        channel: 'SMS',
        time: new Date(at).toISOString(),
      }))
      sendJson(
        response,
        {
          ...common(account, service, verification),
          status: 'pending',
          valid: false,
          lookup: {},
          sna: null,
          send_code_attempts: attempts,
          url: `https://verify.twilio.com/v2/Services/${service}/Verifications/${verification.sid}`,
        },
        201,
      )
    },
  }

  const check: Route = {
    method: 'POST',
    path: /^\/v2\/Services\/(VA[0-9a-f]{32})\/VerificationCheck$/,
    handle: async ({ request, response, parts: [service = ''] }) => {
      const admitted = await admit(request, response)
      if (!admitted) return
      const { account, form } = admitted
      const [to, sid, code] = [form?.get('To'), form?.get('VerificationSid'), form?.get('Code')]
      if (!code || (!to && !sid)) return fail(response, 'invalidParameter')
      const checked = verify.check({ ...(to && { to }), ...(sid && { sid }) }, code)
      if (checked.type === 'not-found') return fail(response, 'notFound')
      if (checked.type === 'too-many-checks') return fail(response, 'checks')
      const { approved, verification } = checked
      sendJson(response, {
        ...common(account, service, verification),
        status: approved ? 'approved' : 'pending',
        valid: approved,
        sna_attempts_error_codes: [],
      })
    },
  }

  const inspect: Route = {
    method: 'GET',
    path: /^\/api\/twilio$/,
    handle: ({ response }) => sendJson(response, verify.counts()),
  }

  return [send, check, inspect]
}
