/** Runs the signing step of an operation, for wallets of any chain. */
import { LatchkeyError, walletLimits } from '@latchkey/protocol'
import { confirmedPurposes, type SignableRequest } from '@latchkey/protocol/wallet'
import type { Confirm, SignOptions } from './confirmed.ts'
import type { WalletChannel } from './frame.ts'
import type { Operations, StepData } from './operations.ts'
import type { SignReadiness } from './sign-readiness.ts'

export type SignStep = <T>(
  asked: SignOptions & { address: string; request: SignableRequest },
  run: (channel: WalletChannel, data: StepData) => Promise<T>,
) => Promise<T>

export function createSignStep({
  operations,
  readiness,
  confirm,
}: {
  operations: Operations
  readiness: SignReadiness
  confirm: Confirm
}): SignStep {
  return async ({ address, request, signal, confirmation }, run) => {
    const place = confirmation?.place ?? 'frame'
    let pending = confirmation
    /**
     * Puts the same request again for a retried step, because the lost first attempt may have consumed its
     * confirmation. A page approval is never put again.
     */
    async function handle() {
      const confirmed = pending ?? (await confirm(address, request, { signal, place }))
      if (place === 'silent' && confirmed.place !== 'silent') throw approvalRequired()
      if (confirmed.place !== 'page') pending = undefined
      return confirmed
    }
    const step = {
      purpose: confirmedPurposes[request.method],
      address,
      confirmation: handle,
      readyWaitMs: walletLimits.frameReadyMs,
      signal,
    } as const
    return operations.runStep(step, run, await readiness.take(address, { signal }))
  }
}

/** The server no longer allows silent signing, so the caller must get the user's approval. */
const approvalRequired = () =>
  new LatchkeyError('approval_required_elsewhere', 'The user must approve this signature')
