/** Consumes confirmations. A wallet token names one, and the release or change that the token allows consumes it. */
import { LatchkeyError } from '@latchkey/protocol'
import { type AccountAction, confirmedPurposes, type WalletPurpose } from '@latchkey/protocol/wallet'
import type { ConfirmedRequest, DialogToken, ServerContext, WalletToken } from '../../kernel/context.ts'
import { type App, nowSeconds, type Reader, type Trx } from '../../kernel/ports.ts'
import { getConfirmationId, getState } from './confirmations.ts'
import { countConsumed } from './metrics.ts'
import { digestAction } from './reading/action.ts'
import { parseRequester } from './relayed.ts'
import { spend } from './rules/spending.ts'
import * as store from './store.ts'
import { type ConfirmationRow, noWallet } from './tables.ts'

export {
  type AuthenticatorCodes,
  authenticatorCodes,
  type EnteredCode,
} from './code/authenticator-codes.ts'
export { codeMailTemplate, codeTextTemplate, renderCodeMail, renderCodeText } from './code/code-mail.ts'
export type { Reading } from './reading/reading.ts'
export { formatDollars } from './rules/cents.ts'
export { getCentsToSend, getFeeCents } from './rules/pricing.ts'
export { committedWalletAt } from './store.ts'
export {
  type PasskeyApproval,
  type WalletPasskey,
  walletPasskey,
} from './wallet-passkey.ts'

/**
 * Returns the confirmation for a wallet token. Throws unless it belongs to this session, purpose and wallet, and is
 * approved if approval is required.
 */
export async function getConfirmedRequest(
  context: ServerContext,
  caller: DialogToken,
  { purpose, walletId }: { purpose: WalletPurpose; walletId: string | null },
  handle: string,
): Promise<ConfirmedRequest> {
  const id = getConfirmationId(handle)
  const row = await store.find(context.db, { id, appId: caller.appId })
  if (row?.session_id !== caller.sessionId || row.wallet_id !== (walletId ?? noWallet))
    throw confirmationNotFound()
  if (confirmedPurposes[row.method] !== purpose) throw confirmationNotFound()
  const refusal = getStateError(row, context)
  if (refusal) throw refusal
  return { confirmation: id, digest: row.digest }
}

/** Loads the request parser on demand, because it is half of the server's code. */
export const loadRequestReader = () => import('./reading/read-request.ts')

/** Loads the reader of Solana transactions on demand, like the encoders below. */
export const loadSolanaReader = () => import('./reading/solana/solana.ts')

/** Load the encoders of user operations and delegations on demand, for the same reason. */
export const loadOperationEncoder = () => import('./reading/read-operation.ts')
export const loadDelegationEncoder = () => import('./reading/read-delegation.ts')

/** Throws unless the token's confirmation is for this action. */
export function assertConfirmed({ step }: Pick<WalletToken, 'step'>, action: AccountAction): void {
  if (step.confirmed?.digest !== digestAction(action)) throw confirmationNotFound()
}

/** The audit details. `requester` is the origin of the dapp that sent the request through a relay, if any. */
export type ConsumedConfirmation = Readonly<Record<string, string | null>> & { requester?: string }

/**
 * Consumes the confirmation in the transaction that it allows. Counts it against the budgets unless the user approved
 * it on the page. `action` names the account action if the token's purpose does not determine it.
 */
export async function consumeConfirmation(
  trx: Trx,
  context: ServerContext,
  { approvals }: App,
  { appId, userId, sessionId, step }: WalletToken,
  action?: AccountAction,
): Promise<ConsumedConfirmation> {
  const { confirmed, walletId } = step
  if (confirmed === null) throw confirmationRequired()
  if (action) assertConfirmed({ step }, action)
  const { confirmation: id, digest } = confirmed
  const now = nowSeconds(context.clock)
  const consumed = await store.consume(
    trx,
    { id, app_id: appId, user_id: userId, session_id: sessionId, wallet_id: walletId ?? noWallet, digest },
    now,
  )
  if (consumed === undefined) throw await getConsumeError(trx, context, { id, appId })
  const { counts_as: countsAs, cents, on_page: onPage } = consumed
  if (countsAs !== null && onPage === 0 && walletId !== null) {
    const spending = { id, userId, walletId, budgets: countsAs.split(' '), cents }
    if (!(await spend(trx, approvals, spending, now))) throw approvalRequiredElsewhere()
  }
  const place = onPage === 1 ? 'page' : consumed.place
  countConsumed(trx, { kind: consumed.kind, place }, step)
  return {
    kind: consumed.kind,
    method: consumed.method,
    digest,
    place,
    chain_id: consumed.chain_id,
    to: consumed.target,
    value: consumed.value,
    ...(consumed.requester !== null && { requester: parseRequester(consumed.requester).url }),
  }
}

async function getConsumeError(
  reader: Reader,
  context: ServerContext,
  key: { id: string; appId: string },
): Promise<LatchkeyError> {
  const row = await store.find(reader, key)
  return (row && getStateError(row, context)) ?? confirmationNotFound()
}

function getStateError(
  row: ConfirmationRow,
  { clock }: Pick<ServerContext, 'clock'>,
): LatchkeyError | undefined {
  const state = getState(row, clock)
  switch (state) {
    case 'approved':
      return undefined
    case 'open':
      return row.place === 'page' ? approvalRequiredElsewhere() : undefined
    case 'refused':
      return new LatchkeyError('user_rejected_request', 'The user rejected the request')
    case 'used':
      return new LatchkeyError('token_already_used', 'This request was already used')
    case 'expired':
      return confirmationNotFound()
    default:
      return state satisfies never
  }
}

const confirmationRequired = () =>
  new LatchkeyError('insufficient_scope', 'The user must confirm this request')
const confirmationNotFound = () =>
  new LatchkeyError('not_found', 'No such request is waiting for confirmation')
const approvalRequiredElsewhere = () =>
  new LatchkeyError('approval_required_elsewhere', 'This request must be approved on the confirmation page')
