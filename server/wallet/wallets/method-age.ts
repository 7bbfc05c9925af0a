/** Requires a login or verification method that is old enough for the purpose of a wallet token. */
import { type WalletPurpose, walletPurposes } from '@latchkey/protocol/wallet'
import { type MethodEvidence, requireOlderMethod } from '../../identity/new-methods/new-methods.ts'
import type { DialogToken, ServerContext, WalletToken } from '../../kernel/context.ts'
import type { App, Trx } from '../../kernel/ports.ts'
import { type Custody, findCustodyByAddress, requireCustody } from './custody.ts'

/** Automatic recovery needs no secret of the user. */
const isAutomatic = ({ wallet }: Custody) => wallet.recovery_method === 'latchkey'
const releasesAllShares = (purpose: WalletPurpose) =>
  walletPurposes[purpose].releases.some((role) => role === 'recovery')

type TokenRequest = { purpose: WalletPurpose; address: string | null }

/** Rejects a token request early if the user has no older method for an automatic recovery. */
export async function requireMethodAgeForToken(
  context: ServerContext,
  app: App,
  caller: DialogToken,
  { purpose, address }: TokenRequest,
): Promise<void> {
  if (!releasesAllShares(purpose) || address === null) return
  const custody = await findCustodyByAddress(context.db, caller, address)
  if (custody && isAutomatic(custody)) {
    await requireOlderMethod(context.db, context, { app, caller, verifiedBy: 'any' })
  }
}

/**
 * Runs in the transaction that releases a share. A new method approves nothing and starts no automatic recovery.
 * Recovery by password, passkey or cloud is exempt, because it proves a secret that the user already had.
 */
export async function requireMethodAgeForRelease(
  trx: Trx,
  context: ServerContext,
  evidence: MethodEvidence & { caller: WalletToken },
): Promise<void> {
  const { purpose, walletId } = evidence.caller.step
  if (releasesAllShares(purpose) && !isAutomatic(await requireCustody(trx, evidence.caller, walletId))) return
  await requireOlderMethod(trx, context, evidence)
}
