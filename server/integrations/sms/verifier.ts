import { registryKey } from '../../kernel/registry.ts'

/** Why a code could not be sent to a number, or not be looked at. */
export type SmsRefusal =
  | { readonly type: 'region' }
  | { readonly type: 'number' }
  /** Its owner answered STOP to an earlier message. */
  | { readonly type: 'unsubscribed' }
  | { readonly type: 'too many' }
  | { readonly type: 'failed'; readonly why: string }

export type SmsSending = { readonly type: 'sent'; readonly verification: string } | SmsRefusal
/** `gone`: used, too old, or guessed at too often. */
export type SmsCheck =
  | { readonly type: 'right' }
  | { readonly type: 'wrong' }
  | { readonly type: 'gone' }
  | SmsRefusal

/**
 * Somebody who makes a code, sends it, and knows whether it is right. Whatever they say is an answer; it rejects where
 * nobody knows whether they heard.
 */
export type SmsVerifier = {
  /** The same code where one is under way. */
  readonly send: (
    to: { readonly e164: string; readonly appName: string },
    signal: AbortSignal,
  ) => Promise<SmsSending>
  /** A right code is used up by this. */
  readonly check: (
    guess: { readonly verification: string; readonly code: string },
    signal: AbortSignal,
  ) => Promise<SmsCheck>
}

/** Undefined where the operator named nobody. */
export const smsVerifier = registryKey<SmsVerifier | undefined>('the verifier of SMS codes')
