/** Approves an account action by a statement of the device, which it signs after the user agreed on a wallet page. */
import { confirmPageRoutes } from '@latchkey/protocol/api'
import type { AccountAction } from '@latchkey/protocol/wallet'
import { confirmationExpired } from '../approval/rejection.ts'
import type { Handle } from '../wallet/operations.ts'
import type { CapabilityPorts } from './capability.ts'

type Approval = {
  /** Null for a user without a wallet. */
  address: string | null
  action: AccountAction
  signal: AbortSignal
  /** Waits for the user on the wallet page. */
  sign: (confirmation: Handle) => Promise<{ statement: string }>
}

export async function approveAction(
  { wallet, api }: Pick<CapabilityPorts, 'wallet' | 'api'>,
  { address, action, signal, sign }: Approval,
): Promise<Handle> {
  const { handle, digest } = await wallet.confirm(address, action, { place: 'page', signal })
  const confirmation = { handle, digest }
  try {
    const { statement } = await sign(confirmation)
    const decision = { ...confirmation, decision: 'approve', statement } as const
    const { state } = await api.call(confirmPageRoutes.decideConfirmation, decision, { signal })
    if (state !== 'approved') throw confirmationExpired()
    return confirmation
  } catch (error) {
    // If the server is unreachable, the confirmation expires there.
    const refusal = { ...confirmation, decision: 'refuse' } as const
    api.call(confirmPageRoutes.decideConfirmation, refusal).catch(() => {})
    throw error
  }
}
