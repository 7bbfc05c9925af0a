/** Decides whether the operator pays the fees of a user. */
import { LatchkeyError } from '@latchkey/protocol'
import type { RouteBody, sponsorRoutes } from '@latchkey/protocol/api'
import { type OperationCall, readDelegate } from '@latchkey/protocol/wallet'
import { requireUser } from '../../identity/users/users.ts'
import { bytes, type NodeCaller } from '../../integrations/relays/relays.ts'
import { consume, tooManyRequests } from '../../kernel/attempts/attempts.ts'
import type { DialogToken, ServerContext } from '../../kernel/context.ts'
import { type App, nowSeconds, type Trx } from '../../kernel/ports.ts'
import { committedWalletAt } from '../confirm/confirm.ts'
import { sponsorServerLimits } from './limits.ts'
import * as store from './store.ts'

export type Quote = RouteBody<typeof sponsorRoutes.quoteOperation>

/** Checks that need no chain: the wallet, the calls and the user. */
export async function requireEligible(
  context: ServerContext,
  app: App,
  caller: DialogToken,
  { address, chainId, calls }: Quote,
) {
  const { calls: listed } = app.sponsorLimits
  if (listed && !calls.every((call) => listed.some((each) => isListed(each, chainId, call)))) {
    throw new LatchkeyError('not_supported', 'The fees of one of these calls are not paid')
  }
  return requireEligibleWallet(context, app, caller, address)
}

/** Returns the wallet of the user. Throws if the account is too new, or if too many of its operations failed. */
export async function requireEligibleWallet(
  context: ServerContext,
  { sponsorLimits }: App,
  caller: DialogToken,
  address: string,
) {
  const wallet = await committedWalletAt(context.db, caller, address)
  if (wallet === undefined)
    throw new LatchkeyError('embedded_wallet_not_found', 'The user has no such wallet')
  const now = nowSeconds(context.clock)
  const { createdAt } = await requireUser(context.db, caller.appId, caller.userId)
  if (now - createdAt < 60 * sponsorLimits.minAccountMinutes) {
    throw new LatchkeyError('not_supported', 'This account is too new for paid fees')
  }
  const { failed } = await store.getUsage(context.db, 'user_id', caller.userId, now)
  if (failed >= sponsorServerLimits.failuresPerDay) {
    throw new LatchkeyError('not_supported', 'Too many operations of this user failed today')
  }
  return wallet
}

const SELECTOR_LENGTH = 2 + 2 * 4
const isListed = (
  { chain, contract, selector }: { chain: number; contract: string; selector: string },
  chainId: number,
  { to, data }: OperationCall,
) => chain === chainId && contract === to && selector === data.slice(0, SELECTOR_LENGTH)

export async function consumeQuota(
  trx: Trx,
  context: ServerContext,
  { userId }: DialogToken,
  what: string,
  limit: number,
) {
  const quotas = [{ limit, windowSeconds: sponsorServerLimits.daySeconds }]
  const attempt = { key: `sponsor-${what}|${userId}`, quotas, nowSeconds: nowSeconds(context.clock) }
  const allowance = await consume(trx, attempt)
  if (!allowance.allowed) throw tooManyRequests(allowance.retryAfterSeconds)
}

/** Throws unless the wallet runs another contract, because the operator pays for a change only. */
export async function requireOtherDelegate(
  callNode: NodeCaller,
  wallet: string,
  delegate: string,
): Promise<void> {
  const current = readDelegate(await callNode(bytes, 'eth_getCode', wallet, 'latest'))
  if (current !== undefined && current !== delegate) return
  throw new LatchkeyError('not_supported', 'The wallet has no other delegate on this network')
}
