/** Registers the Solana address that the secret of an Ethereum wallet derives. */
import { LatchkeyError } from '@latchkey/protocol'
import type { WalletPurpose } from '@latchkey/protocol/wallet'
import { recordAudit } from '../../../identity/audit/audit.ts'
import { requireLivingSession } from '../../../identity/sessions/sessions.ts'
import type { ServerContext, WalletToken } from '../../../kernel/context.ts'
import { type App, nowSeconds } from '../../../kernel/ports.ts'
import { requireCustody } from '../custody.ts'
import { countWalletCreated, setSolanaAddress } from '../store.ts'
import type { SolanaAddressProof } from './address.ts'
import { assertAddressAvailable, lockAddress } from './address-ownership.ts'

/** Rejects the purpose in apps without the setting, before a share is released for it. */
export function assertPurposeEnabled({ config }: App, purpose: WalletPurpose): void {
  if (purpose !== 'solana-address' || config.solanaBesideEthereum) return
  throw alreadyExists('A user with an Ethereum wallet cannot create a Solana wallet')
}

/** Idempotent: a repeated call with the registered address succeeds. */
export async function addSolanaAddress(
  context: ServerContext,
  app: App,
  caller: WalletToken,
  proof: SolanaAddressProof,
): Promise<void> {
  assertPurposeEnabled(app, caller.step.purpose)
  const custody = await requireCustody(context.db, caller, caller.step.walletId)
  const { wallet } = custody
  if (wallet.chain_type !== 'ethereum' || wallet.kind !== 'entropy') {
    throw new LatchkeyError('not_supported', 'This wallet derives no Solana address')
  }
  const address = proof.solanaAddress
  if (wallet.solana_address === address) return
  // Loaded on demand: this is half of the server's code, and only wallet creation needs it.
  const { assertSolanaAddressProven } = await import('./address.ts')
  await assertSolanaAddressProven(custody, proof)
  await context.transaction(async (trx) => {
    await requireLivingSession(trx, context, caller.sessionId)
    await lockAddress(trx, context.clock, caller.appId, address)
    await assertAddressAvailable(trx, caller, address)
    if (!(await setSolanaAddress(trx, wallet, { address, nowSeconds: nowSeconds(context.clock) }))) {
      throw alreadyExists('The user has another Solana address')
    }
    countWalletCreated(trx, 'solana', wallet.kind)
    await recordAudit(trx, context.clock, {
      event: 'wallet.created',
      appId: caller.appId,
      userId: caller.userId,
      sessionId: caller.sessionId,
      details: { wallet: wallet.id, chain: 'solana', generation: wallet.generation },
    })
  })
}

const alreadyExists = (message: string) => new LatchkeyError('embedded_wallet_already_exists', message)
