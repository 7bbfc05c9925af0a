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

const transactionTypes = { 0: '0x0', 2: '0x2' } as const

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
        v.transform((kind) => transactionTypes[kind]),
      ),
    ]),
  ),
  /** Must be empty: access lists are not shown, so they are not signed. */
  accessList: option(v.pipe(anyList, v.maxLength(0))),
})
export type RpcTransaction = v.InferOutput<typeof rpcTransactionSchema>

const signature = v.pipe(v.string(), v.regex(/^0x[0-9a-fA-F]{130}$/, 'Not a signature of 65 bytes'))
const chainToSwitchTo = v.object({ chainId: quantityText })

const walletMethod = { by: 'wallet', policy: 'headless', deadlineMs: channelLimits.callDeadlineMs } as const
const userMethod = { by: 'wallet', policy: 'needs-user' } as const
/** Allows time to try every RPC node that the operator configured. */
const chainMethod = { by: 'chain', policy: 'headless', deadlineMs: 2 * channelLimits.callDeadlineMs } as const

export const ethereumMethods = {
  eth_accounts: { ...walletMethod, params: [] },
  eth_chainId: { ...walletMethod, params: [] },
  net_version: { ...walletMethod, params: [] },
  net_listening: { ...walletMethod, params: [] },
  web3_clientVersion: { ...walletMethod, params: [] },
  eth_coinbase: { ...walletMethod, params: [] },
  wallet_getPermissions: { ...walletMethod, params: [] },
  personal_ecRecover: { ...walletMethod, params: [v.string(), signature] },
  wallet_switchEthereumChain: { ...walletMethod, params: [chainToSwitchTo] },
  wallet_addEthereumChain: { ...walletMethod, params: [chainToSwitchTo] },
  // https://eips.ethereum.org/EIPS/eip-5792
  wallet_getCapabilities: { ...walletMethod, params: [evmAddress, v.array(quantityText)], required: 1 },
  wallet_getCallsStatus: { ...walletMethod, deadlineMs: 2 * channelLimits.callDeadlineMs, params: [batchId] },

  // Some pages pass `eth_accounts` options, which wallets ignore.
  eth_requestAccounts: { ...userMethod, params: [v.unknown()], required: 0 },
  // Legacy wallets take a password as a third param.
  personal_sign: { ...userMethod, params: [v.string(), evmAddress, v.unknown()], required: 2 },
  eth_signTypedData_v3: { ...userMethod, params: [evmAddress, v.union([v.string(), anyRecord])] },
  eth_signTypedData_v4: { ...userMethod, params: [evmAddress, v.union([v.string(), anyRecord])] },
  eth_signTransaction: { ...userMethod, params: [rpcTransactionSchema] },
  eth_sendTransaction: { ...userMethod, params: [rpcTransactionSchema] },
  wallet_sendCalls: { ...userMethod, params: [batchRequest] },
  wallet_showCallsStatus: { ...userMethod, params: [batchId] },

  eth_blobBaseFee: { ...chainMethod, params: [] },
  eth_blockNumber: { ...chainMethod, params: [] },
  eth_call: { ...chainMethod, params: [anyRecord, block, anyRecord, anyRecord], required: 1, blockAt: 1 },
  eth_createAccessList: { ...chainMethod, params: [anyRecord, block], required: 1, blockAt: 1 },
  eth_estimateGas: { ...chainMethod, params: [anyRecord, block, anyRecord], required: 1, blockAt: 1 },
  eth_feeHistory: {
    ...chainMethod,
    params: [v.union([quantityText, v.number()]), blockName, v.nullable(anyList)],
    required: 2,
  },
  eth_gasPrice: { ...chainMethod, params: [] },
  eth_getBalance: { ...chainMethod, params: [evmAddress, block], required: 1, blockAt: 1 },
  eth_getBlockByHash: { ...chainMethod, params: [word, flag], required: 1 },
  eth_getBlockByNumber: { ...chainMethod, params: [blockName, flag], required: 1 },
  eth_getBlockReceipts: { ...chainMethod, params: [block] },
  eth_getBlockTransactionCountByHash: { ...chainMethod, params: [word] },
  eth_getBlockTransactionCountByNumber: { ...chainMethod, params: [blockName] },
  eth_getCode: { ...chainMethod, params: [evmAddress, block], required: 1, blockAt: 1 },
  eth_getLogs: { ...chainMethod, params: [anyRecord] },
  eth_getProof: { ...chainMethod, params: [evmAddress, anyList, block], required: 2, blockAt: 2 },
  eth_getStorageAt: { ...chainMethod, params: [evmAddress, quantityText, block], required: 2, blockAt: 2 },
  eth_getTransactionByBlockHashAndIndex: { ...chainMethod, params: [word, position] },
  eth_getTransactionByBlockNumberAndIndex: { ...chainMethod, params: [blockName, position] },
  eth_getTransactionByHash: { ...chainMethod, params: [word] },
  eth_getTransactionCount: { ...chainMethod, params: [evmAddress, block], required: 1, blockAt: 1 },
  eth_getTransactionReceipt: { ...chainMethod, params: [word] },
  eth_maxPriorityFeePerGas: { ...chainMethod, params: [] },
  eth_simulateV1: { ...chainMethod, params: [anyRecord, block], required: 1, blockAt: 1 },
  eth_syncing: { ...chainMethod, params: [] },
} as const satisfies Readonly<Record<string, EthereumMethodRow>>

export type EthereumMethod = keyof typeof ethereumMethods

/** Returns the row of a method, or undefined. Ignores inherited object properties. */
export const getEthereumMethod = (name: string): EthereumMethodRow | undefined =>
  Object.hasOwn(ethereumMethods, name) ? ethereumMethods[name as EthereumMethod] : undefined

/** Reasons for unsupported methods that other wallets support. */
const unsupportedReasons: Readonly<Record<string, string>> = {
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
  const reason = Object.hasOwn(unsupportedReasons, name) ? unsupportedReasons[name] : undefined
  if (reason !== undefined) return { code: 4200, message: reason }
  const shortName = name.slice(0, channelLimits.maxIdLength)
  return { code: -32_601, message: `The method "${shortName}" does not exist / is not available.` }
}
