/**
 * Sends a batch atomically: as one operation of the wallet, with fees paid by the operator. The
 * server decides whether it pays, and offers the operation to sign.
 */
import { LatchkeyError, type TransactionRequest, type WalletAccount } from '@latchkey/protocol'
import { type SponsoredOperation, sponsorRoutes } from '@latchkey/protocol/api'
import type { Action } from '@latchkey/protocol/reading'
import type { OperationCall, UserOperation, WalletRpcRequest } from '@latchkey/protocol/wallet'
import { catchRefusal } from '../../api/sponsor-refusal.ts'
import { createCall } from '../../app/screen-stack.ts'
import { rejectedError } from '../../approval/rejection.ts'
import { asHex } from '../../browser/hex.ts'
import type { Rpc } from '../../chains/rpc.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import { type Flow, failed } from '../../flow/flow.ts'
import type { BatchFacts } from './batch-screen.tsx'
import { atomicBatchScreen } from './screens.ts'

/** An operation that the server pays for, and its facts for the review. */
export type Offer = {
  account: WalletAccount
  operation: UserOperation
  request: WalletRpcRequest
  actions: Action[]
}

type OfferRequest = {
  account: WalletAccount
  chainId: number
  transactions: TransactionRequest[]
  rpc: Rpc
}

/** Returns the operation for these calls, or the server's reason not to pay for them. */
export async function requestOffer(
  { api, load }: Pick<CapabilityPorts, 'api' | 'load'>,
  { account, chainId, transactions, rpc }: OfferRequest,
  signal: AbortSignal,
): Promise<Offer | LatchkeyError> {
  const calls = toCalls(transactions)
  if (calls === undefined) return new LatchkeyError('not_supported', 'A contract creation is sent alone')
  const { address } = account
  const body = { address, chainId, calls }
  const quote = await catchRefusal(api.call(sponsorRoutes.quoteOperation, body, { signal }))
  if (quote instanceof LatchkeyError) return quote
  // Signs the calls of the page, never those of the server.
  const operation: UserOperation = { ...quote.operation, chainId, calls }
  const [{ digestOperation }, { readAction, checksummed }] = await Promise.all([
    load(() => import('./lazy/operation.ts')),
    load(() => import('../send/lazy/ethereum.ts')),
  ])
  const params: [string, string, string] = [
    address,
    JSON.stringify(operation),
    digestOperation(operation, address),
  ]
  const actions = await Promise.all(
    calls.map(({ to, value, data }) => {
      const call = { to: checksummed(to) ?? to, data, value: BigInt(value) }
      return readAction(rpc, call, signal)
    }),
  )
  return { account, operation, request: { method: 'eth_signUserOperation', params }, actions }
}

/** Returns undefined if one of the transactions creates a contract, which an operation cannot. */
function toCalls(transactions: TransactionRequest[]): OperationCall[] | undefined {
  const calls = transactions.flatMap(({ to, value = 0, data = '0x' }) =>
    to === undefined || to === null
      ? []
      : [
          {
            to: asHex(to.toLowerCase()),
            value: String(BigInt(value)),
            data: asHex(String(data).toLowerCase()),
          },
        ],
  )
  return calls.length === transactions.length ? calls : undefined
}

/** Shows the calls, and resolves with the sent operation. */
export const createAtomicBatch = (
  ports: CapabilityPorts,
  offer: Offer,
  facts: BatchFacts,
): Flow<SponsoredOperation> =>
  createCall<SponsoredOperation>(
    ports,
    { kind: 'approval', onClose: () => failed(rejectedError()) },
    ({ open }) => open(atomicBatchScreen, { ports, offer, facts }),
  )
