import type { WalletAccount } from '@latchkey/protocol'
import type { WalletRpcRequest } from '@latchkey/protocol/wallet'
import { useDialog } from '../app/context.ts'
import type { Wallet } from '../wallet/wallet.ts'
import { createWalletCalls, type Remedy } from '../wallet/wallet-obstacles.ts'
import { mustMoveToPage } from './confirmed.ts'
import type { SignaturePorts } from './confirmed-signature.ts'
import { useSignatureApproval } from './step/use-signature-approval.ts'

type Ports = Omit<SignaturePorts, 'wallet'> & {
  wallet: SignaturePorts['wallet'] & Pick<Wallet, 'sign'>
  remedies: () => Promise<readonly Remedy[]>
}

/** Asks for the approval of a request of an Ethereum wallet, and signs it. `onStatus` receives each change. */
export function useApprovedSigning(
  ports: Ports,
  account: WalletAccount,
  onStatus: (status: 'review' | 'sending') => void,
) {
  const { handle } = useDialog()
  const { address } = account
  const { signal } = handle
  const approval = useSignatureApproval(ports, { address, kind: 'transaction' })
  const callWallet = createWalletCalls(ports.remedies)

  async function sign(request: WalletRpcRequest): Promise<string> {
    onStatus('review')
    const confirmation = await approval.request(request)
    onStatus('sending')
    const signed = await callWallet({
      event: 'wallet:rpc',
      account,
      card: handle,
      call: (verification) => ports.wallet.sign(address, request, { signal, verification, confirmation }),
    }).catch((cause: unknown) => {
      if (mustMoveToPage(cause, confirmation)) return undefined
      throw cause
    })
    if (signed === undefined) return sign(request)
    // A call that ended meanwhile sends nothing.
    signal.throwIfAborted()
    return signed
  }

  return { approval, sign }
}
