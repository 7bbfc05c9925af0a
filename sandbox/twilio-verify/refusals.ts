/** Error responses and authentication of the Twilio APIs. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Fault } from '../faults.ts'
import { sendJson } from '../http.ts'

/** https://www.twilio.com/docs/api/errors */
const errors = {
  credentials: { status: 401, code: 20003, message: 'Authenticate' },
  notFound: { status: 404, code: 20404, message: 'The requested resource was not found' },
  invalidTo: { status: 400, code: 21211, message: "The 'To' number is not a valid phone number" },
  invalidBody: { status: 400, code: 21619, message: 'A text message body or media urls must be specified' },
  longBody: {
    status: 400,
    code: 21617,
    message: 'The concatenated message body exceeds the 1600 character limit',
  },
  noSender: { status: 400, code: 21603, message: "A 'From' phone number or a messaging service is required" },
  messagingRegion: {
    status: 400,
    code: 21408,
    message: 'Permission to send an SMS has not been enabled for the region',
  },
  tooManyRequests: { status: 429, code: 20429, message: 'Too many requests' },
  unsubscribed: { status: 400, code: 21610, message: 'Attempt to send to unsubscribed recipient' },
  invalidParameter: { status: 400, code: 60200, message: 'Invalid parameter' },
  checks: { status: 429, code: 60202, message: 'Max check attempts reached' },
  sendings: { status: 429, code: 60203, message: 'Max send attempts reached' },
  fraud: {
    status: 403,
    code: 60410,
    message: 'The destination phone number has been temporarily blocked by Verify Fraud Guard',
  },
  region: {
    status: 403,
    code: 60605,
    message: 'The destination phone number has been blocked by Verify Geo-Permissions',
  },
  failing: { status: 500, code: 20500, message: 'Internal Server Error' },
} as const
type ErrorName = keyof typeof errors

export const fail = (response: ServerResponse, name: ErrorName) => {
  const { status, code, message } = errors[name]
  sendJson(
    response,
    { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status },
    status,
  )
}

export const errorByFault: Readonly<Record<Exclude<Fault<'twilio'>, 'none' | 'stall'>, ErrorName>> = {
  failing: 'failing',
  'wrong-credentials': 'credentials',
  'too-many-requests': 'tooManyRequests',
  'blocked-region': 'region',
  fraud: 'fraud',
  unsubscribed: 'unsubscribed',
}

/** Returns the account of the credentials. Any account and any secret are accepted. */
export const parseAccount = ({ headers: { authorization = '' } }: IncomingMessage): string | undefined => {
  const [, encoded] = /^Basic ([A-Za-z0-9+/=]+)$/.exec(authorization) ?? []
  if (encoded === undefined) return undefined
  return /^((?:AC|SK)[0-9a-f]{32}):.+$/.exec(Buffer.from(encoded, 'base64').toString())?.[1]
}
