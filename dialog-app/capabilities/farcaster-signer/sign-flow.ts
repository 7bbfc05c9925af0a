/**
 * Signs for the account that has approved the signer. Nothing is shown: the user has let this app write, and their
 * wallet signs nothing else this way. A device without its share is recovered, and a second factor asked for.
 */

import { isRefusal, rejectedError, unableToSign } from '../../approval/rejection.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import { done, type FlowHandle, failed, type RunningFlow } from '../../flow/flow.ts'
import { requireUser } from '../../host/require-user.ts'
import { createWalletCalls } from '../../wallet/wallet-obstacles.ts'
import { requireAccounts } from './accounts.ts'
import { signForFarcaster } from './wallet-calls.ts'

export type SignedMessage = { signature: string }
type Ports = Pick<CapabilityPorts, 'remedies' | 'session' | 'settings' | 'wallet'>

export const createSignFlow = (
  ports: Ports,
  hash: string,
  handle: FlowHandle<SignedMessage>,
): RunningFlow<SignedMessage> => ({
  kind: 'approval',
  async run() {
    const { signal } = handle
    const { wallet: account, fid } = requireAccounts(await requireUser(ports, handle))
    const { address } = account
    const callWallet = createWalletCalls(ports.remedies)
    try {
      const { signature } = await callWallet({
        event: 'farcaster:sign',
        account,
        card: handle,
        call: (verification) =>
          signForFarcaster(ports.wallet, address, { hash, fid }, { signal, verification }),
      })
      handle.end(done({ signature }))
    } catch (error) {
      handle.end(failed(isRefusal(error) ? error : unableToSign(error, 'The message could not be signed')))
    }
  },
  onClose: () => failed(rejectedError()),
})
