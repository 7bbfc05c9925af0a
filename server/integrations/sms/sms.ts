/** Codes and texts by SMS: who sends them, who checks a code, and the one form of a phone number. */
export { missingForSms } from './environment.ts'
export { type PhoneNumber, requirePhoneNumber } from './phone-number.ts'
export { type SmsText, type SmsTexter, smsTexter, type TextSending } from './texter.ts'
export { type SmsCheck, type SmsRefusal, type SmsSending, type SmsVerifier, smsVerifier } from './verifier.ts'
