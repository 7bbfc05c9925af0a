import * as v from 'valibot'
import type { ServerConfig } from '../config.ts'
import { environmentPart } from '../environment.ts'

export type TwilioAccount = {
  /** Of the Verify service: `…/v2/Services/VA…`. */
  readonly serviceUrl: string
  readonly authorization: string
}

const serviceUrl =
  /^(https?:\/\/)((?:AC|SK)[0-9a-f]{32}):([^@/\s]+)@([^@/\s]+)(\/v2\/Services\/VA[0-9a-f]{32})$/

const twilioAccount = v.pipe(
  v.string(),
  v.regex(
    serviceUrl,
    'must be https://<account or key sid>:<secret>@verify.twilio.com/v2/Services/<service sid>',
  ),
  v.transform((value): TwilioAccount => {
    const [, scheme = '', user = '', secret = '', host = '', path = ''] = serviceUrl.exec(value) ?? []
    const credentials = Buffer.from(`${user}:${decodeURIComponent(secret)}`).toString('base64')
    return { serviceUrl: `${scheme}${host}${path}`, authorization: `Basic ${credentials}` }
  }),
)

export const smsEnvironment = environmentPart({ TWILIO_VERIFY_URL: v.optional(twilioAccount) })

/** The variables that login by SMS still needs. */
export const missingForSms = (config: ServerConfig): readonly string[] =>
  smsEnvironment.of(config).TWILIO_VERIFY_URL === undefined ? ['TWILIO_VERIFY_URL'] : []
