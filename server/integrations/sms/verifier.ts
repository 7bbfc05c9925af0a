import { registryKey } from '../../kernel/registry.ts'

/** Why a code could not be sent to a number, or not be looked at. */
export type SmsRefusal =
  | { type: 'region' }
  | { type: 'number' }
  /** Its owner answered STOP to an earlier message. */
  | { type: 'unsubscribed' }
  | { type: 'too many' }
  | { type: 'failed'; why: string }

export type SmsSending = { type: 'sent'; verification: string } | SmsRefusal
/** `gone`: used, too old, or guessed at too often. */
export type SmsCheck = { type: 'right' } | { type: 'wrong' } | { type: 'gone' } | SmsRefusal

/**
 * Somebody who makes a code, sends it, and knows whether it is right. Whatever they say is an answer; it rejects where
 * nobody knows whether they heard.
 */
export type SmsVerifier = {
  /** The same code where one is under way. */
  send: (to: { e164: string; appName: string }, signal: AbortSignal) => Promise<SmsSending>
  /** A right code is used up by this. */
  check: (guess: { verification: string; code: string }, signal: AbortSignal) => Promise<SmsCheck>
}

/** Undefined where the operator named nobody. */
export const smsVerifier = registryKey<SmsVerifier | undefined>('the verifier of SMS codes')
