import { registryKey } from '../../kernel/registry.ts'

/** The reason why a code could not be sent or checked. */
export type SmsRefusal =
  | { type: 'region' }
  | { type: 'number' }
  /** The recipient replied STOP to an earlier message. */
  | { type: 'unsubscribed' }
  | { type: 'too many' }
  | { type: 'failed'; why: string }

export type SmsResult = { type: 'sent'; verification: string } | SmsRefusal
/** `gone`: the code was used, has expired, or had too many wrong guesses. */
export type SmsCheck = { type: 'right' } | { type: 'wrong' } | { type: 'gone' } | SmsRefusal

/**
 * A service that creates, sends and checks codes. It resolves to a refusal for each known error, and rejects if the
 * outcome is unknown.
 */
export type SmsVerifier = {
  /** Sends a code. Sends the same code again while a verification is pending. */
  send: (to: { e164: string; appName: string }, signal: AbortSignal) => Promise<SmsResult>
  /** Checks a code. A correct code is consumed. */
  check: (guess: { verification: string; code: string }, signal: AbortSignal) => Promise<SmsCheck>
}

/** Undefined if SMS codes are not configured. */
export const smsVerifier = registryKey<SmsVerifier | undefined>('the SMS code verifier')
