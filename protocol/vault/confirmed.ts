/** How an operation refers to a confirmation: by its handle and digest. */
import * as v from 'valibot'
import { base64url } from '../entities/primitives.ts'

/** 32 random bytes, created by the dialog in advance, so that the confirmation page can be opened immediately. */
export const confirmationHandle = v.pipe(base64url, v.length(43))
/** The digest of the request, as lowercase hex. */
export const signedDigest = v.pipe(v.string(), v.regex(/^0x[0-9a-f]{64}$/))
