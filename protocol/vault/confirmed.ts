/** How an operation names what a person has confirmed: the handle of the confirmation, and the digest. */
import * as v from 'valibot'
import { base64url } from '../entities/primitives.ts'

/** 32 random bytes, made by the dialog before anybody is asked: so the page that has it can be opened at once. */
export const confirmationHandle = v.pipe(base64url, v.length(43))
/** What is signed, or done: the hash, as hex in small letters. */
export const signedDigest = v.pipe(v.string(), v.regex(/^0x[0-9a-f]{64}$/))
