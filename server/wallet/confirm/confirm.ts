/** How a confirmation is used: it is named in the wallet token, and used up by what the token asks for. */
import { LatchkeyError } from '@latchkey/protocol'
import { type AccountAction, confirmedPurposes, type WalletPurpose } from '@latchkey/protocol/wallet'
import type { ConfirmedRequest, DialogToken, ServerContext, WalletToken } from '../../kernel/context.ts'
import { type App, nowSeconds, type Reader, type Trx } from '../../kernel/ports.ts'
import { idOf, stateOf } from './confirmations.ts'
import { countUse } from './counted.ts'
import { digestOf } from './reading/action.ts'
import { requesterOf } from './relayed.ts'
import { spend } from './rules/spending.ts'
import * as store from './store.ts'
import { type ConfirmationRow, noWallet } from './tables.ts'

export { type AppCodes, appCodes, type TypedCode } from './code/app-codes.ts'
export type { Reading } from './reading/reading.ts'
export { centsToSend } from './rules/priced.ts'
export { type AskedToApprove, type WalletPasskey, walletPasskey } from './wallet-passkey.ts'

/** What a token is made for: of this session, for this purpose and wallet, and approved where it has to be. */
export async function confirmedRequest(
  context: ServerContext,
  caller: DialogToken,
  { purpose, walletId }: { purpose: WalletPurpose; walletId: string | null },
  handle: string,
): Promise<ConfirmedRequest> {
  const id = idOf(handle)
  const row = await store.find(context.db, { id, appId: caller.appId })
  if (row?.session_id !== caller.sessionId || row.wallet_id !== (walletId ?? noWallet)) throw notWaiting()
  if (confirmedPurposes[row.method] !== purpose) throw notWaiting()
  const refusal = refusalOf(row, context)
  if (refusal) throw refusal
  return { confirmation: id, digest: row.digest }
}

/** Half of what a server loads, so it comes when it is needed: what reads requests to the letter. */
export const requestReader = () => import('./reading/read-request.ts')

/** What was used by an earlier call of the same step was this. */
export function assertConfirmed({ step }: Pick<WalletToken, 'step'>, action: AccountAction): void {
  if (step.confirmed?.digest !== digestOf(action)) throw notWaiting()
}

/** The details for the audit. `requester` is the origin of the dapp that asked through a relay, where one did. */
export type UsedConfirmation = Readonly<Record<string, string | null>> & { requester?: string }

/**
 * Runs in the transaction that releases or changes something: the confirmation is used once, and counted where nobody
 * approved it on the page; or nothing of it happens. `action` is what the caller does, where the purpose of its token
 * leaves that open.
 */
export async function useConfirmation(
  trx: Trx,
  context: ServerContext,
  { approvals }: App,
  { appId, userId, sessionId, step }: WalletToken,
  action?: AccountAction,
): Promise<UsedConfirmation> {
  const { confirmed, walletId } = step
  if (confirmed === null) throw unconfirmed()
  if (action) assertConfirmed({ step }, action)
  const { confirmation: id, digest } = confirmed
  const now = nowSeconds(context.clock)
  const used = await store.use(
    trx,
    { id, app_id: appId, user_id: userId, session_id: sessionId, wallet_id: walletId ?? noWallet, digest },
    now,
  )
  if (used === undefined) throw await whyNot(trx, context, { id, appId })
  const { counts_as: countsAs, cents, on_page: onPage } = used
  if (countsAs !== null && onPage === 0 && walletId !== null) {
    const spending = { id, userId, walletId, budgets: countsAs.split(' '), cents }
    if (!(await spend(trx, approvals, spending, now))) throw elsewhere()
  }
  const place = onPage === 1 ? 'page' : used.place
  countUse(trx, { kind: used.kind, place }, step)
  return {
    kind: used.kind,
    method: used.method,
    digest,
    place,
    chain_id: used.chain_id,
    to: used.target,
    value: used.value,
    ...(used.requester !== null && { requester: requesterOf(used.requester).url }),
  }
}

async function whyNot(
  reader: Reader,
  context: ServerContext,
  of: { id: string; appId: string },
): Promise<LatchkeyError> {
  const row = await store.find(reader, of)
  return (row && refusalOf(row, context)) ?? notWaiting()
}

function refusalOf(row: ConfirmationRow, { clock }: Pick<ServerContext, 'clock'>): LatchkeyError | undefined {
  const state = stateOf(row, clock)
  switch (state) {
    case 'approved':
      return undefined
    case 'open':
      return row.place === 'page' ? elsewhere() : undefined
    case 'refused':
      return new LatchkeyError('user_rejected_request', 'The user rejected the request')
    case 'used':
      return new LatchkeyError('token_already_used', 'This request was used already')
    case 'expired':
      return notWaiting()
    default:
      return state satisfies never
  }
}

const unconfirmed = () => new LatchkeyError('insufficient_scope', 'Its user has to confirm this')
const notWaiting = () => new LatchkeyError('not_found', 'No such request is waiting to be confirmed')
const elsewhere = () =>
  new LatchkeyError('approval_required_elsewhere', 'This is approved on a page of its own')
