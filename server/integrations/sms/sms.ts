/** Codes and texts by SMS: who sends them, who checks a code, and the one form of a phone number. */
import { LatchkeyError } from '@latchkey/protocol'
import { parsePhoneNumberFromString } from 'libphonenumber-js/min'

export { missingForSms } from './environment.ts'
export { type SmsTexter, smsTexter, type TextSending } from './texter.ts'
export { type SmsCheck, type SmsRefusal, type SmsSending, type SmsVerifier, smsVerifier } from './verifier.ts'

/** One number, one form: a number that is written in several ways has one account and one budget. */
export type PhoneNumber = {
  /** The form in the API and in the database: '+', the calling code, a space, then the number. */
  qualified: string
  e164: string
}

export function requirePhoneNumber(written: string): PhoneNumber {
  const parsed = parsePhoneNumberFromString(written)
  // An extension or a word beside the number is no part of one that gets messages.
  if (!parsed?.isValid() || parsed.ext !== undefined) {
    throw new LatchkeyError('invalid_data', 'This is not a phone number')
  }
  return {
    qualified: `+${parsed.countryCallingCode} ${parsed.nationalNumber}`,
    e164: parsed.number,
  }
}
