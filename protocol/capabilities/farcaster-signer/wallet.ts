/** Which keys a Farcaster signer has, and where each stands. */
import * as v from 'valibot'

/** As Farcaster writes keys: hex in small letters. */
export const signerPublicKey = v.pipe(v.string(), v.regex(/^0x[0-9a-f]{64}$/))

export const signerStatuses = ['pending_approval', 'approved', 'revoked'] as const
export type SignerStatus = (typeof signerStatuses)[number]

/** A key that was removed from an account can never be added again, so a wallet has one after the other. */
export const signerKeyIndex = v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(2 ** 31 - 1))

/**
 * What a share is released for, where a signature has its digest: the public key of the signer, or the signature of one
 * hash. It opens for nothing else, and no digest is written like it.
 */
export const signerReleasedFor = (hash: string | undefined) => `farcaster:${hash ?? 'key'}`
