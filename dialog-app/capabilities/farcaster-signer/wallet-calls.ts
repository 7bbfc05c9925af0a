/** What is asked of the wallet's signer: each call an operation of the vault, with a token of its own. */

import type { Cancellable } from '../../waiting.ts'
import { isBegunAnew, type Operation, type StepData } from '../../wallet/operations.ts'
import type { Verification } from '../../wallet/verification.ts'
import type { Wallet } from '../../wallet/wallet.ts'
import type { Fid } from './accounts.ts'

type Asker = Cancellable & { readonly verification: Verification | undefined }

export const initSigner = (wallet: Wallet, address: string, { signal, verification }: Asker) =>
  inOperation(wallet, 'farcaster-signer', address, { signal }, ({ channel }, data) =>
    channel.call('farcaster:init-signer', { ...data, address, ...verification }, { signal }),
  )

export const signForFarcaster = (
  wallet: Wallet,
  address: string,
  { hash, fid }: { readonly hash: string; readonly fid: Fid },
  { signal, verification }: Asker,
) =>
  inOperation(wallet, 'farcaster-sign', address, { signal }, ({ channel }, data) =>
    channel.call(
      'farcaster:sign',
      { ...data, address, payload: { hash }, fid: BigInt(fid), ...verification },
      { signal },
    ),
  )

/** One whose key pair, frame or token is gone is begun anew, once: the same key is told, and the same is signed. */
async function inOperation<T>(
  wallet: Wallet,
  purpose: 'farcaster-signer' | 'farcaster-sign',
  address: string,
  asker: Cancellable,
  run: (operation: Operation, data: StepData) => Promise<T>,
): Promise<T> {
  async function once() {
    const operation = await wallet.begin(asker)
    try {
      const { data } = await wallet.tokenFor(operation, purpose, address, asker)
      return await run(operation, data)
    } finally {
      wallet.end(operation)
    }
  }
  try {
    return await once()
  } catch (error) {
    if (!isBegunAnew(error)) throw error
    return once()
  }
}
