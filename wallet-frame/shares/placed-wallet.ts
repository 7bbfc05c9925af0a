/** Creates the one wallet that a user may have per chain: begin, commit, and adoption on this device. */
import { type ChainType, LatchkeyError } from '@latchkey/protocol'
import { type CommittedWallet, type RouteOutput, walletRoutes } from '@latchkey/protocol/api'
import type { PendingWallet, SealedShare } from '@latchkey/protocol/wallet'
import type { VaultOutput } from '../vault/contract.ts'
import { toPinnedWallet } from './pinned-wallet.ts'
import type { StepCall, WalletPorts } from './ports.ts'

type User = RouteOutput<typeof walletRoutes.commitWallet>['user']
export type CreatedWallet = {
  address: string
  onDevice: boolean
  user: User | null
}

/** A key of the import page. It is sealed to the operation, and the wallet must get this address. */
export type ImportedKey = {
  address: string
  seal: (vaultKey: string) => Promise<SealedShare>
}

export const beginWallet = ({ api }: WalletPorts, call: StepCall, chainType: ChainType) =>
  api(walletRoutes.beginWallet, call, { chainType })

/** Commits the created wallet. The first commit wins, so the response may name another wallet. */
export const commitCreated = (
  { api }: WalletPorts,
  call: StepCall,
  { walletId, generation, sealingKey }: PendingWallet,
  { address, auth, recovery, proof }: VaultOutput<'create'>,
) =>
  api(walletRoutes.commitWallet, call, {
    walletId,
    generation,
    address,
    sealingKeyId: sealingKey.id,
    authShare: auth,
    recovery,
    proof,
  })

export async function adoptCommitted(
  ports: WalletPorts,
  call: StepCall,
  wallet: CommittedWallet,
): Promise<CreatedWallet> {
  const onDevice = await ports.vault
    .call('adopt', { wallet: toPinnedWallet(ports, wallet) }, call.signal)
    .then(
      () => true,
      (error: unknown) => {
        if (error instanceof LatchkeyError && error.code === 'wallet_not_on_device') return false
        throw error
      },
    )
  return { address: wallet.address, onDevice, user: null }
}
