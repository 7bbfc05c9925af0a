/**
 * A Farcaster signer: an ed25519 key of the user's wallet, which the user lets write for their Farcaster account.
 *
 * It signs the hash of a Farcaster message, 20 bytes of BLAKE3, and nothing else. No other signature of the wallet can be
 * had that way: those of Ethereum are of another curve, and what Solana signs is no 20 bytes long and of another key.
 * https://docs.farcaster.xyz/reference/hubble/datatypes/messages
 */
import * as v from 'valibot'
import { base64url } from '../../entities/primitives.ts'

/** Farcaster writes keys as hex in small letters. */
export const signerPublicKey = v.pipe(v.string(), v.regex(/^0x[0-9a-f]{64}$/))

export const signerStatuses = ['pending_approval', 'approved', 'revoked'] as const
export type SignerStatus = (typeof signerStatuses)[number]

/** A key that was removed from an account can never be added again, so a wallet has one after the other. */
export const signerKeyIndex = v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(2 ** 31 - 1))

/**
 * What a share is released for, where a signature has its digest: the public key of the signer, or the signature of one
 * hash. It opens for nothing else, and no digest is written like it.
 */
export const toSignerReleaseContext = (hash: string | undefined) => `farcaster:${hash ?? 'key'}`

/** 20 bytes. */
export const farcasterHash = v.pipe(base64url, v.length(27))
/** 64 bytes. */
export const farcasterSignature = v.pipe(base64url, v.length(86))
