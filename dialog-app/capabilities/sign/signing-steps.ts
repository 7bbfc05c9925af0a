/** The wallet calls of a signature. Obstacles such as a missing share are overcome on the way. */
import type { WalletAccount } from '@latchkey/protocol'
import type { CapabilityPorts } from '../../contract/capability.ts'
import type { CardHandle } from '../../flow/flow.ts'
import type { ConfirmedRequest } from '../../wallet/confirmed.ts'
import { createWalletCalls } from '../../wallet/wallet-obstacles.ts'
import type { Signed, ToSign } from './to-sign.ts'

export function createSigningSteps(
  { wallet, remedies }: Pick<CapabilityPorts, 'wallet' | 'remedies'>,
  { signer, sign }: ToSign,
  account: WalletAccount,
  card: Pick<CardHandle, 'interrupt' | 'signal'>,
) {
  const callWallet = createWalletCalls(remedies)
  const { address } = account
  const { signal } = card
  return {
    async connect(): Promise<void> {
      let isFirst = true
      await callWallet({
        event: signer.events.connect,
        account,
        card,
        async call() {
          // A device that was just given its share holds it.
          if (!isFirst) return
          isFirst = false
          await signer.connect(wallet, address, { signal })
        },
      })
    },
    async sign(confirmation: ConfirmedRequest): Promise<Signed> {
      const signature = await callWallet({
        event: signer.events.sign,
        account,
        card,
        call: (verification) => sign(wallet, address, { signal, verification, confirmation }),
      })
      return { signature, address }
    },
  }
}
