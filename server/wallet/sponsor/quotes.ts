/** Quotes operations and changes of a delegate, ready to be signed. */
import { LatchkeyError } from '@latchkey/protocol'
import type { RouteBody, RouteOutput, sponsorRoutes } from '@latchkey/protocol/api'
import { delegatedCode, entryPoint, type UserOperation } from '@latchkey/protocol/wallet'
import type { Hex } from 'viem'
import { encodeFunctionData, parseAbi } from 'viem/utils'
import {
  bytes,
  createNodeCaller,
  type NodeCaller,
  quantity,
  requireRelay,
  requireSponsored,
} from '../../integrations/relays/relays.ts'
import type { DialogToken, ServerContext } from '../../kernel/context.ts'
import type { App } from '../../kernel/ports.ts'
import { formatDollars, loadOperationEncoder } from '../confirm/confirm.ts'
import { consumeQuota, type Quote, requireEligible, requireOtherDelegate } from './eligibility.ts'
import { pricePaid, priceTransaction } from './fees.ts'
import { sponsorServerLimits } from './limits.ts'
import { quotePayment } from './paymaster.ts'

const entryPointAbi = parseAbi(['function getNonce(address sender, uint192 key) view returns (uint256)'])

export async function quoteOperation(
  context: ServerContext,
  app: App,
  caller: DialogToken,
  quote: Quote,
): Promise<RouteOutput<typeof sponsorRoutes.quoteOperation>> {
  const { chainId, calls } = quote
  const wallet = await requireEligible(context, app, caller, quote)
  const sponsor = await requireSponsored(context, app, chainId)
  await context.transaction((trx) =>
    consumeQuota(trx, context, caller, 'quotes', sponsorServerLimits.quotesPerDay),
  )
  const callNode = createNodeCaller(context, chainId)
  const sender = wallet.address as Hex
  const [code, accountNonce, nonce, callGas] = await Promise.all([
    callNode(bytes, 'eth_getCode', sender, 'latest'),
    callNode(quantity, 'eth_getTransactionCount', sender, 'pending'),
    callNode(quantity, 'eth_call', { to: entryPoint, data: encodeGetNonce(sender) }, 'latest'),
    estimateCalls(callNode, sender, calls),
  ])
  requireOwnCode(code)
  const operation: UserOperation = {
    chainId,
    nonce: String(nonce),
    calls,
    verificationGasLimit: sponsorServerLimits.verificationGas,
    callGasLimit: callGas,
    authorizationNonce: code === '0x' ? Number(accountNonce) : null,
  }
  if (sponsor.type === 'erc4337') {
    const noGas = { ...operation, verificationGasLimit: 0, callGasLimit: 0 }
    const paid = await quotePayment(context, sponsor, noGas, sender)
    const cents = await pricePaid(context, app, paid)
    return { operation: paid, usd: cents === 0 ? null : formatDollars(cents) }
  }
  const { address } = await sponsor.account()
  const { cents } = await priceTransaction(
    context,
    app,
    callNode,
    { sender, operation, signatures: unsigned },
    address,
  )
  return { operation, usd: cents === 0 ? null : formatDollars(cents) }
}

/** Stands in for the signature of the user, which has the same length. */
const unsigned: Hex = `0x${'11'.repeat(65)}`

/** Returns the authorization that removes or replaces the delegate of the wallet. */
export async function quoteDelegation(
  context: ServerContext,
  app: App,
  caller: DialogToken,
  { address, chainId, delegate }: RouteBody<typeof sponsorRoutes.quoteDelegation>,
): Promise<RouteOutput<typeof sponsorRoutes.quoteDelegation>> {
  const wallet = await requireEligible(context, app, caller, { address, chainId, calls: [] })
  const relay = await requireRelay(context, app, chainId)
  await context.transaction((trx) =>
    consumeQuota(trx, context, caller, 'quotes', sponsorServerLimits.quotesPerDay),
  )
  const callNode = createNodeCaller(context, chainId)
  const sender = wallet.address
  const nonce = await callNode(quantity, 'eth_getTransactionCount', sender, 'pending')
  const delegation = { chainId, delegate, nonce: Number(nonce), fees: null }
  await requireOtherDelegate(callNode, sender, delegate)
  const relayAccount = await relay.account()
  await priceTransaction(
    context,
    app,
    callNode,
    { sender, delegation, signatures: unsigned },
    relayAccount.address,
  )
  return { delegation }
}

/** Throws if the wallet runs other code. Its user may have chosen that in another wallet, so it is not replaced. */
function requireOwnCode(code: Hex): void {
  if (code === '0x' || code === delegatedCode) return
  throw new LatchkeyError('not_supported', 'The wallet is delegated to another contract on this network')
}

const encodeGetNonce = (sender: Hex) => encodeFunctionData({ abi: entryPointAbi, args: [sender, 0n] })

/** The call of the entry point to the wallet, as if the wallet were delegated already. */
export async function toBatchCall(sender: Hex, calls: UserOperation['calls']) {
  const { encodeBatch } = await loadOperationEncoder()
  const call = { from: entryPoint, to: sender, data: encodeBatch(calls) }
  return [call, 'latest', { [sender]: { code: delegatedCode } }] as const
}

/** Adds a fifth, because the state may change between the estimate and the block. */
async function estimateCalls(
  callNode: NodeCaller,
  sender: Hex,
  calls: UserOperation['calls'],
): Promise<number> {
  const gas = await callNode(quantity, 'eth_estimateGas', ...(await toBatchCall(sender, calls)))
  return Number((gas * 6n) / 5n)
}
