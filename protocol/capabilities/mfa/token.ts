import * as v from 'valibot'
import { text } from '../../entities/primitives.ts'

/**
 * The verification token in the body of a call that releases or changes something. Required if the user has a second
 * factor. Without it the call does nothing and returns `missing_or_invalid_mfa`, with the user's methods in
 * `details.methods`.
 */
export const mfaTokenField = { mfaToken: v.exactOptional(text) }
