/** The step of an operation that signs, for a wallet of whatever chain. */
import { LatchkeyError, walletLimits } from '@latchkey/protocol'
import type { SignableRequest } from '@latchkey/protocol/wallet'
import type { Confirm, SigningAsker } from './confirmed.ts'
import type { WalletChannel } from './frame.ts'
import type { Operations, StepData } from './operations.ts'
import type { SignReadiness } from './sign-readiness.ts'

export type SignStep = <T>(
  asked: SigningAsker & { address: string; request: SignableRequest },
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
    let known = confirmation
    /**
     * A step that is begun anew has the same request put anew: the first may have used up what was put for it, and
     * have been lost with its answer. What was approved on a page is approved there alone.
     */
    async function handle() {
      const named = known ?? (await confirm(address, request, { signal, place }))
      if (place === 'silent' && named.place !== 'silent') throw askUser()
      if (named.place !== 'page') known = undefined
      return named
    }
    const step = {
      purpose: 'sign',
      address,
      confirmation: handle,
      readyWaitMs: walletLimits.frameReadyMs,
      signal,
    } as const
    return operations.runStep(step, run, await readiness.take(address, { signal }))
  }
}

/** Nobody was asked, as the server allowed before; now it does not. Who began the step asks. */
const askUser = () => new LatchkeyError('approval_required_elsewhere', 'The user is to be asked')
