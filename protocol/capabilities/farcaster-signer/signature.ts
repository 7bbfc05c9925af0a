/**
 * A Farcaster signer: an ed25519 key of the user's wallet, which the user lets write for their Farcaster account.
 *
 * It signs the hash of a Farcaster message, 20 bytes of BLAKE3, and nothing else. No other signature of the wallet can be
 * had that way: those of Ethereum are of another curve, and what Solana signs is no 20 bytes long and of another key.
 * https://docs.farcaster.xyz/reference/hubble/datatypes/messages
 */
import * as v from 'valibot'
import { base64url } from '../../entities/primitives.ts'

/** 20 bytes. */
export const farcasterHash = v.pipe(base64url, v.length(27))
/** 64 bytes. */
export const farcasterSignature = v.pipe(base64url, v.length(86))
