/**
 * Every signature is confirmed at the server first: it reads what is to be signed by itself, says where that may be
 * approved, and releases a share for this digest and no other. So is what is done with an account.
 */
import * as v from 'valibot'
import { base64url } from '../../entities/primitives.ts'

/** 32 random bytes, made by the dialog before anybody is asked: so the page that has it can be opened at once. */
export const confirmationHandle = v.pipe(base64url, v.length(43))
/** What is signed, or done: the hash, as hex in small letters. */
export const signedDigest = v.pipe(v.string(), v.regex(/^0x[0-9a-f]{64}$/))

/** In dollars, with cents: `12.34`. */
export const usdText = v.pipe(v.string(), v.regex(/^[0-9]+\.[0-9]{2}$/))

/**
 * Where a request may be approved, the laxest first. `silent`: nobody has to be asked. `unseen`: on the card of a
 * browser that can not tell what covers it.
 */
export const confirmationPlaces = ['silent', 'frame', 'unseen', 'page'] as const
export type ConfirmationPlace = (typeof confirmationPlaces)[number]

export const confirmationReasons = [
  'plain_message',
  'account_action',
  'test_network',
  'within_allowance',
  'within_limits',
  'beyond_allowance',
  'too_often',
  'allowance_or_permit',
  'not_understood',
  'no_price',
  'browser',
] as const
export type ConfirmationReason = (typeof confirmationReasons)[number]

/** `used`: it was signed, or done. */
export const confirmationStates = ['open', 'approved', 'refused', 'used', 'expired'] as const
export type ConfirmationState = (typeof confirmationStates)[number]
