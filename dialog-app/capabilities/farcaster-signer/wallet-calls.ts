/** Wallet calls for a signer. They are idempotent: a retry returns the same key and the same signature. */
import { walletLimits } from '@latchkey/protocol'
import type { Cancellable } from '../../browser/waiting.ts'
import type { Verification } from '../../wallet/verification.ts'
import type { Wallet } from '../../wallet/wallet.ts'
import type { Fid } from './accounts.ts'

type SignerOptions = Cancellable & { verification: Verification | undefined }

const readyWaitMs = walletLimits.frameReadyMs

export const initSigner = (wallet: Wallet, address: string, { signal, verification }: SignerOptions) =>
  wallet.runStep({ purpose: 'farcaster-signer', address, readyWaitMs, signal }, (channel, data) =>
    channel.call('farcaster:init-signer', { ...data, address, ...verification }, { signal }),
  )

export const signForFarcaster = (
  wallet: Wallet,
  address: string,
  { hash, fid }: { hash: string; fid: Fid },
  { signal, verification }: SignerOptions,
) =>
  wallet.runStep({ purpose: 'farcaster-sign', address, readyWaitMs, signal }, (channel, data) =>
    channel.call(
      'farcaster:sign',
      { ...data, address, payload: { hash }, fid: BigInt(fid), ...verification },
      { signal },
    ),
  )
