/**
 * The methods of the embedded wallet's provider (EIP-1193). Unlisted methods are rejected. RPC nodes only receive read
 * methods, and none that keeps state for the caller. https://ethereum.github.io/execution-apis/
 */
import * as v from 'valibot'
import type { Schema } from '../../channel/contract.ts'
import { evmAddress, hex } from '../../entities/wallets/chain-primitives.ts'
import { chainNumber, quantity } from '../../entities/wallets/wallet-request.ts'
import { channelLimits } from '../../limits/limits.ts'
import { walletSizes } from '../../limits/wallet-sizes.ts'
import type { HostCallRow } from '../../rows/host-call.ts'
import { batchId, batchRequest } from '../batch.ts'

export type EthereumMethodRow = {
  /** Undefined for methods that wait for the user: the dialog ends them. */
  policy: HostCallRow['policy']
  deadlineMs?: number
  /** The component that answers. */
  by: 'wallet' | 'chain'
  params: readonly Schema[]
  /** The number of required params. Defaults to all. */
  required?: number
  /** The position of the block param, which defaults to `latest`. */
  blockAt?: number
}

const option = v.exactOptional

const quantityText = v.pipe(v.string(), v.regex(/^0x[0-9a-fA-F]{1,64}$/, 'Not a quantity in hex'))
const word = v.pipe(v.string(), v.regex(/^0x[0-9a-fA-F]{64}$/, 'Not 32 bytes in hex'))
const blockName = v.pipe(
  v.string(),
  v.regex(/^(?:latest|earliest|pending|safe|finalized|0x[0-9a-fA-F]{1,64})$/, 'Not a block'),
)
/** https://eips.ethereum.org/EIPS/eip-1898 */
const block = v.union(
  [
    blockName,
    v.object({
      blockHash: option(word),
      blockNumber: option(blockName),
      requireCanonical: option(v.boolean()),
    }),
  ],
  'Not a block',
)
const position = quantityText
const flag = v.boolean()
/** Read by the RPC node only, which validates it. */
const anyRecord = v.record(v.string(), v.unknown())
const anyList = v.array(v.unknown())

const kindOf = { 0: '0x0', 2: '0x2' } as const

/** A JSON-RPC transaction. Unknown fields are rejected, because ignoring one would send a different transaction. */
export const rpcTransactionSchema = v.strictObject({
  from: option(evmAddress),
  to: option(v.nullable(evmAddress)),
  data: option(v.pipe(hex, v.maxLength(2 + 2 * walletSizes.maxTransactionBytes))),
  /** Alias of `data`. */
  input: option(v.pipe(hex, v.maxLength(2 + 2 * walletSizes.maxTransactionBytes))),
  value: option(quantity),
  gas: option(quantity),
  /** Alias of `gas`. */
  gasLimit: option(quantity),
  gasPrice: option(quantity),
  maxFeePerGas: option(quantity),
  maxPriorityFeePerGas: option(quantity),
  nonce: option(quantity),
  chainId: option(v.union([chainNumber, quantityText], 'Not the number of a chain')),
  /** Some libraries pass it as a number. */
  type: option(
    v.union([
      v.picklist(['0x0', '0x2']),
      v.pipe(
        v.picklist([0, 2]),
        v.transform((kind) => kindOf[kind]),
      ),
    ]),
  ),
  /** Must be empty: access lists are not shown, so they are not signed. */
  accessList: option(v.pipe(anyList, v.maxLength(0))),
})
export type RpcTransaction = v.InferOutput<typeof rpcTransactionSchema>

const signature = v.pipe(v.string(), v.regex(/^0x[0-9a-fA-F]{130}$/, 'Not a signature of 65 bytes'))
const chainToSwitchTo = v.object({ chainId: quantityText })

const now = { by: 'wallet', policy: 'headless', deadlineMs: channelLimits.callDeadlineMs } as const
const asks = { by: 'wallet', policy: 'needs-user' } as const
/** Allows time to try every RPC node that the operator configured. */
const reads = { by: 'chain', policy: 'headless', deadlineMs: 2 * channelLimits.callDeadlineMs } as const

export const ethereumMethods = {
  eth_accounts: { ...now, params: [] },
  eth_chainId: { ...now, params: [] },
  net_version: { ...now, params: [] },
  net_listening: { ...now, params: [] },
  web3_clientVersion: { ...now, params: [] },
  eth_coinbase: { ...now, params: [] },
  wallet_getPermissions: { ...now, params: [] },
  personal_ecRecover: { ...now, params: [v.string(), signature] },
  wallet_switchEthereumChain: { ...now, params: [chainToSwitchTo] },
  wallet_addEthereumChain: { ...now, params: [chainToSwitchTo] },
  // https://eips.ethereum.org/EIPS/eip-5792
  wallet_getCapabilities: { ...now, params: [evmAddress, v.array(quantityText)], required: 1 },
  wallet_getCallsStatus: { ...now, deadlineMs: 2 * channelLimits.callDeadlineMs, params: [batchId] },

  // Some pages pass `eth_accounts` options, which wallets ignore.
  eth_requestAccounts: { ...asks, params: [v.unknown()], required: 0 },
  // Legacy wallets take a password as a third param.
  personal_sign: { ...asks, params: [v.string(), evmAddress, v.unknown()], required: 2 },
  eth_signTypedData_v3: { ...asks, params: [evmAddress, v.union([v.string(), anyRecord])] },
  eth_signTypedData_v4: { ...asks, params: [evmAddress, v.union([v.string(), anyRecord])] },
  eth_signTransaction: { ...asks, params: [rpcTransactionSchema] },
  eth_sendTransaction: { ...asks, params: [rpcTransactionSchema] },
  wallet_sendCalls: { ...asks, params: [batchRequest] },
  wallet_showCallsStatus: { ...asks, params: [batchId] },

  eth_blobBaseFee: { ...reads, params: [] },
  eth_blockNumber: { ...reads, params: [] },
  eth_call: { ...reads, params: [anyRecord, block, anyRecord, anyRecord], required: 1, blockAt: 1 },
  eth_createAccessList: { ...reads, params: [anyRecord, block], required: 1, blockAt: 1 },
  eth_estimateGas: { ...reads, params: [anyRecord, block, anyRecord], required: 1, blockAt: 1 },
  eth_feeHistory: {
    ...reads,
    params: [v.union([quantityText, v.number()]), blockName, v.nullable(anyList)],
    required: 2,
  },
  eth_gasPrice: { ...reads, params: [] },
  eth_getBalance: { ...reads, params: [evmAddress, block], required: 1, blockAt: 1 },
  eth_getBlockByHash: { ...reads, params: [word, flag], required: 1 },
  eth_getBlockByNumber: { ...reads, params: [blockName, flag], required: 1 },
  eth_getBlockReceipts: { ...reads, params: [block] },
  eth_getBlockTransactionCountByHash: { ...reads, params: [word] },
  eth_getBlockTransactionCountByNumber: { ...reads, params: [blockName] },
  eth_getCode: { ...reads, params: [evmAddress, block], required: 1, blockAt: 1 },
  eth_getLogs: { ...reads, params: [anyRecord] },
  eth_getProof: { ...reads, params: [evmAddress, anyList, block], required: 2, blockAt: 2 },
  eth_getStorageAt: { ...reads, params: [evmAddress, quantityText, block], required: 2, blockAt: 2 },
  eth_getTransactionByBlockHashAndIndex: { ...reads, params: [word, position] },
  eth_getTransactionByBlockNumberAndIndex: { ...reads, params: [blockName, position] },
  eth_getTransactionByHash: { ...reads, params: [word] },
  eth_getTransactionCount: { ...reads, params: [evmAddress, block], required: 1, blockAt: 1 },
  eth_getTransactionReceipt: { ...reads, params: [word] },
  eth_maxPriorityFeePerGas: { ...reads, params: [] },
  eth_simulateV1: { ...reads, params: [anyRecord, block], required: 1, blockAt: 1 },
  eth_syncing: { ...reads, params: [] },
} as const satisfies Readonly<Record<string, EthereumMethodRow>>

export type EthereumMethod = keyof typeof ethereumMethods

/** Returns the row of a method, or undefined. Ignores inherited object properties. */
export const getEthereumMethod = (name: string): EthereumMethodRow | undefined =>
  Object.hasOwn(ethereumMethods, name) ? ethereumMethods[name as EthereumMethod] : undefined

/** Reasons for unsupported methods that other wallets support. */
const reasons: Readonly<Record<string, string>> = {
  eth_sign:
    'eth_sign signs opaque data, which may be a transaction: use personal_sign or eth_signTypedData_v4',
  eth_sendRawTransaction: 'Signed transactions must be sent through your own node',
  // https://eips.ethereum.org/EIPS/eip-747
  wallet_watchAsset: 'The wallet has no token list that a page could extend',
}

/**
 * Returns the error for an unsupported method. Unknown methods get the message and code of RPC nodes, which libraries
 * recognize and fall back on.
 */
export function explainMissingMethod(name: string): { code: 4200 | -32601; message: string } {
  const reason = Object.hasOwn(reasons, name) ? reasons[name] : undefined
  if (reason !== undefined) return { code: 4200, message: reason }
  const shown = name.slice(0, channelLimits.maxIdLength)
  return { code: -32_601, message: `The method "${shown}" does not exist / is not available.` }
}
