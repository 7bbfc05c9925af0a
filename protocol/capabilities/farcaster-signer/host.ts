/** The user lets this app write for their Farcaster account, with a key of their wallet. */
import * as v from 'valibot'
import { fid } from '../../entities/primitives.ts'
import type { MoreRows } from '../../rows/host-call.ts'
import { farcasterHash, farcasterSignature, signerPublicKey } from './wallet.ts'

export const farcasterSignerCalls = {
  requestFarcasterSigner: { policy: 'needs-user', input: v.object({}) },
  signFarcasterMessage: { policy: 'needs-user', input: v.object({ hash: farcasterHash }) },
} as const satisfies MoreRows

export const farcasterSignerAnswers = {
  requestFarcasterSigner: v.object({ publicKey: signerPublicKey, fid }),
  signFarcasterMessage: v.object({ signature: farcasterSignature }),
} as const
