/** The user lets this app write for their Farcaster account, with a key of their wallet. */
import * as v from 'valibot'
import { fid } from '../../entities/primitives.ts'
import { farcasterHash, farcasterSignature } from '../../wallet/farcaster.ts'
import { signerPublicKey } from '../../wallet/farcaster-signer.ts'
import type { MoreRows } from './row.ts'

export const farcasterSignerCalls = {
  requestFarcasterSigner: { policy: 'needs-user', input: v.object({}) },
  signFarcasterMessage: { policy: 'needs-user', input: v.object({ hash: farcasterHash }) },
} as const satisfies MoreRows

export const farcasterSignerAnswers = {
  requestFarcasterSigner: v.object({ publicKey: signerPublicKey, fid }),
  signFarcasterMessage: v.object({ signature: farcasterSignature }),
} as const
