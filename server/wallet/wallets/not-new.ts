/** Whether what a user showed is old enough for what their wallet is opened for. */
import { type WalletPurpose, walletPurposes } from '@latchkey/protocol/wallet'
import { type MethodEvidence, requireOlderMethod } from '../../identity/new-methods/new-methods.ts'
import type { DialogToken, ServerContext, WalletToken } from '../../kernel/context.ts'
import type { App, Trx } from '../../kernel/ports.ts'
import { type Custody, custodyAt, requireCustody } from './custody.ts'

/** Where nothing of the user's own is asked for. */
const isAutomatic = ({ wallet }: Custody) => wallet.recovery_method === 'latchkey'
const opensAll = (purpose: WalletPurpose) =>
  walletPurposes[purpose].releases.some((role) => role === 'recovery')

type Asked = { purpose: WalletPurpose; address: string | null }

/** Before a token is given: a user who could show nothing older hears it at once. */
export async function requireMayBegin(
  context: ServerContext,
  app: App,
  caller: DialogToken,
  { purpose, address }: Asked,
): Promise<void> {
  if (!opensAll(purpose) || address === null) return
  const custody = await custodyAt(context.db, caller, address)
  if (custody && isAutomatic(custody)) {
    await requireOlderMethod(context.db, context, { app, caller, verifiedBy: 'any' })
  }
}

/**
 * Runs in the transaction that releases a share. A new login or factor counts for no approval, and starts no automatic
 * recovery. A recovery with a password, a passkey or a cloud shows a secret that the user had before.
 */
export async function requireNotNew(
  trx: Trx,
  context: ServerContext,
  shown: MethodEvidence & { caller: WalletToken },
): Promise<void> {
  const { purpose, walletId } = shown.caller.step
  if (opensAll(purpose) && !isAutomatic(await requireCustody(trx, shown.caller, walletId))) return
  await requireOlderMethod(trx, context, shown)
}
