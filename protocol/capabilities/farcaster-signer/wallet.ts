/**
 * A Farcaster signer: an ed25519 key of the user's wallet that signs messages for their Farcaster account.
 *
 * It only signs hashes of Farcaster messages, which are 20 bytes of BLAKE3. Such a signature cannot stand in for
 * another wallet signature: Ethereum uses another curve, and Solana signs longer data with another key.
 * https://docs.farcaster.xyz/reference/hubble/datatypes/messages
 */
import * as v from 'valibot'
import { base64url } from '../../entities/primitives.ts'

/** Lowercase hex, as Farcaster formats keys. */
export const signerPublicKey = v.pipe(v.string(), v.regex(/^0x[0-9a-f]{64}$/))

export const signerStatuses = ['pending_approval', 'approved', 'revoked'] as const
export type SignerStatus = (typeof signerStatuses)[number]

/** The index of the signer key. Farcaster does not accept a removed key again, so the wallet derives the next one. */
export const signerKeyIndex = v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(2 ** 31 - 1))

/**
 * Returns the release context that takes the place of a digest: the signer's public key, or the signature of one hash.
 * It differs from every digest.
 */
export const toSignerReleaseContext = (hash: string | undefined) => `farcaster:${hash ?? 'key'}`

/** 20 bytes. */
export const farcasterHash = v.pipe(base64url, v.length(27))
/** 64 bytes. */
export const farcasterSignature = v.pipe(base64url, v.length(86))
