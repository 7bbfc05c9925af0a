import * as v from 'valibot'
import type { ServerConfig } from '../../kernel/config.ts'
import { environmentPart } from '../../kernel/environment.ts'

export type TwilioAccount = {
  serviceUrl: string
  authorization: string
  /** Undefined if the credentials are an API key instead of the account SID. */
  accountSid: string | undefined
}

export type TwilioMessaging = {
  messagesUrl: string
  authorization: string
  service: string
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
    return {
      serviceUrl: `${scheme}${host}${path}`,
      authorization: `Basic ${credentials}`,
      accountSid: user.startsWith('AC') ? user : undefined,
    }
  }),
)

const sid = (prefix: string) =>
  v.pipe(v.string(), v.regex(new RegExp(`^${prefix}[0-9a-f]{32}$`), `must be ${prefix} and 32 hex digits`))

const variables = environmentPart(
  {
    TWILIO_VERIFY_URL: v.optional(twilioAccount),
    TWILIO_MESSAGING_SERVICE_SID: v.optional(sid('MG')),
    TWILIO_ACCOUNT_SID: v.optional(sid('AC')),
    TWILIO_API_URL: v.optional(
      v.pipe(v.string(), v.regex(/^https?:\/\/[^/\s]+$/, 'must be http(s)://<host>')),
      'https://api.twilio.com',
    ),
  },
  {
    TWILIO_VERIFY_URL: {
      meaning:
        'The Twilio service that sends codes by SMS: `https://<account or key sid>:<secret>@verify.twilio.com/v2/Services/<service sid>`.',
      isSecret: true,
    },
    TWILIO_MESSAGING_SERVICE_SID:
      'The messaging service (`MG…`) that sends notices by SMS. Without it, users without an e-mail address see notices at their next login.',
    TWILIO_ACCOUNT_SID:
      'The account (`AC…`) for notices. Required if `TWILIO_VERIFY_URL` contains the SID of a key.',
    TWILIO_API_URL: 'The API that sends notices. Change it only for a stand-in.',
  },
)

/** SMS texts are sent with the same account as the codes. */
export const smsEnvironment = {
  ...variables,
  parse(environment, parts) {
    const lines = variables.parse(environment, parts)
    if (lines.length > 0) return lines
    const { TWILIO_VERIFY_URL, TWILIO_MESSAGING_SERVICE_SID, TWILIO_ACCOUNT_SID } = variables.read({ parts })
    if (TWILIO_MESSAGING_SERVICE_SID === undefined) return []
    if (!TWILIO_VERIFY_URL) return ['TWILIO_MESSAGING_SERVICE_SID needs TWILIO_VERIFY_URL']
    if (TWILIO_VERIFY_URL.accountSid ?? TWILIO_ACCOUNT_SID) return []
    return ['TWILIO_MESSAGING_SERVICE_SID needs TWILIO_ACCOUNT_SID where TWILIO_VERIFY_URL has a key']
  },
} satisfies typeof variables

/** Returns undefined if SMS texts are not configured. */
export function getMessaging(config: Pick<ServerConfig, 'parts'>): TwilioMessaging | undefined {
  const { TWILIO_VERIFY_URL, TWILIO_MESSAGING_SERVICE_SID, TWILIO_ACCOUNT_SID, TWILIO_API_URL } =
    smsEnvironment.read(config)
  const accountSid = TWILIO_VERIFY_URL?.accountSid ?? TWILIO_ACCOUNT_SID
  if (!TWILIO_VERIFY_URL || !TWILIO_MESSAGING_SERVICE_SID || !accountSid) return undefined
  return {
    messagesUrl: `${TWILIO_API_URL}/2010-04-01/Accounts/${accountSid}/Messages.json`,
    authorization: TWILIO_VERIFY_URL.authorization,
    service: TWILIO_MESSAGING_SERVICE_SID,
  }
}

/** Returns the environment variables that login by SMS still needs. */
export const missingForSms = (config: ServerConfig): readonly string[] =>
  smsEnvironment.read(config).TWILIO_VERIFY_URL === undefined ? ['TWILIO_VERIFY_URL'] : []
