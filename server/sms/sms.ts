/** Codes by SMS: who sends and checks them, and the one form of a phone number. */
export { missingForSms } from './environment.ts'
export { type PhoneNumber, requirePhoneNumber } from './phone-number.ts'
export { type SmsCheck, type SmsRefusal, type SmsSending, type SmsVerifier, smsVerifier } from './verifier.ts'
