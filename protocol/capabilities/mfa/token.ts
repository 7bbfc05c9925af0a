import * as v from 'valibot'
import { text } from '../../entities/primitives.ts'

/**
 * What a verification is worth, in the body of the call that releases or changes something. Needed where the user has a
 * method. Without it such a call has done nothing and answers `missing_or_invalid_mfa`, with the user's methods in
 * `details.methods`.
 */
export const mfaTokenField = { mfaToken: v.exactOptional(text) }
