/** SMS codes and SMS texts, and the canonical form of phone numbers. */
import { LatchkeyError } from '@latchkey/protocol'
import { parsePhoneNumberFromString } from 'libphonenumber-js/min'

export { missingForSms } from './environment.ts'
export { type SmsTexter, smsTexter, type TextResult } from './texter.ts'
export {
  type SmsCheck,
  type SmsRefusal,
  type SmsResult,
  type SmsVerifier,
  smsVerifier,
} from './verifier.ts'

/** A phone number in canonical form, so that all spellings of a number share one account and one quota. */
export type PhoneNumber = {
  /** The form in the API and the database: '+', calling code, space, national number. */
  qualified: string
  e164: string
}

export function parsePhoneNumber(text: string): PhoneNumber {
  const parsed = parsePhoneNumberFromString(text)
  // A number with an extension can not receive SMS.
  if (!parsed?.isValid() || parsed.ext !== undefined) {
    throw new LatchkeyError('invalid_data', 'This is not a phone number')
  }
  return {
    qualified: `+${parsed.countryCallingCode} ${parsed.nationalNumber}`,
    e164: parsed.number,
  }
}
