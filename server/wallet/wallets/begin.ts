/** Reserves the slot of a wallet. */
import { type ChainType, LatchkeyError } from '@latchkey/protocol'
import type { CommittedWallet } from '@latchkey/protocol/api'
import type { PendingWallet, ShareKind } from '@latchkey/protocol/wallet'
import type { ServerContext, WalletStep } from '../../kernel/context.ts'
import { randomId } from '../../kernel/ids.ts'
import { nowSeconds, type Reader } from '../../kernel/ports.ts'
import { committedWallet, publicSealingKey, toCustody, toWalletLine, walletNotFound } from './custody.ts'
import { findWalletSlot, type Owner, openWalletSlot } from './store.ts'

/** The owner of a wallet token, with its purpose. */
type Creator = Owner & { step: Pick<WalletStep, 'purpose'> }

export async function beginWallet(
  context: ServerContext,
  caller: Creator,
  chain: ChainType,
): Promise<PendingWallet | CommittedWallet> {
  const present = toCustody(await findWalletSlot(context.db, caller, chain))
  if (present) return committedWallet(present)
  await assertChainAllowed(context.db, caller, chain)
  const kind = getShareKind(caller, chain)
  await openWalletSlot(context.db, {
    id: `wal_${randomId()}`,
    app_id: caller.appId,
    user_id: caller.userId,
    kind,
    chain_type: chain,
    status: 'pending',
    generation: 1,
    address: null,
    recovery_method: 'latchkey',
    auth_share: null,
    recovery_share: null,
    recovery_access: null,
    last_generation: 1,
    created_at: nowSeconds(context.clock),
    committed_at: null,
    solana_address: null,
    solana_committed_at: null,
  })
  const wallet = await findWalletSlot(context.db, caller, chain)
  if (wallet === undefined) throw walletNotFound()
  const custody = toCustody(wallet)
  if (custody) return committedWallet(custody)
  const sealingKey = publicSealingKey(context.keyring.sealingKey())
  return { status: 'pending', ...toWalletLine({ ...wallet, kind }), sealingKey }
}

/** Returns the kind of secret that a wallet for this token's purpose has. */
export function getShareKind({ step }: Creator, chain: ChainType): ShareKind {
  if (step.purpose !== 'import') return 'entropy'
  if (chain === 'ethereum') return 'imported-key'
  throw new LatchkeyError('not_supported', 'Only the key of an Ethereum wallet can be imported')
}

/** Rejects a Solana wallet if the user has an Ethereum wallet. The reverse order is allowed. */
export async function assertChainAllowed(reader: Reader, owner: Owner, chain: ChainType): Promise<void> {
  if (chain === 'ethereum' || !toCustody(await findWalletSlot(reader, owner, 'ethereum'))) return
  throw new LatchkeyError(
    'embedded_wallet_already_exists',
    'A user with an Ethereum wallet cannot create a Solana wallet',
  )
}
