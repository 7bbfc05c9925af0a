/** The functions of viem that transactions use. They load with the first transaction. */
import { LatchkeyError } from '@latchkey/protocol'
import { gasPriceOracleAddress } from '@latchkey/protocol/chains'
import { type Action, isTokenCall, parseTokenAction, type Token } from '@latchkey/protocol/reading'
import type { Address } from 'viem'
import {
  decodeFunctionResult,
  encodeFunctionData,
  getAddress,
  keccak256,
  parseAbi,
  serializeTransaction,
} from 'viem/utils'
import type { Hex } from '../../../browser/hex.ts'
import { type Rpc, RpcRefused } from '../../../chains/rpc.ts'
import type { Fees, Transaction } from '../transaction.ts'

const abi = parseAbi([
  'function symbol() view returns (string)',
  // A uint8 by its standard. Read as a whole word, so that larger values are detected.
  'function decimals() view returns (uint256)',
  'function getL1Fee(bytes unsigned) view returns (uint256)',
])

const MAX_SYMBOL_LENGTH = 32
/** The highest uint8: https://eips.ethereum.org/EIPS/eip-20#decimals. Amounts are divided by ten to the power of it. */
const MAX_DECIMALS = 255n

export async function readAction(
  rpc: Rpc,
  transaction: Pick<Transaction, 'to' | 'data' | 'value'>,
  signal: AbortSignal,
): Promise<Action> {
  const { to, data, value } = transaction
  if (to === null) return { kind: 'contract-creation', data }
  if (data === '0x') return { kind: 'native-transfer' }
  const unknown: Action = { kind: 'unknown', data }
  // No call of a token standard takes coins of the chain.
  if (value !== 0n || !isTokenCall(data)) return unknown
  const token = await readToken(rpc, to, signal)
  return (token && parseTokenAction(token, data, (address) => getAddress(address))) ?? unknown
}

/** Returns undefined without a contract at the address, or with decimals that no token can have. */
async function readToken(rpc: Rpc, address: Address, signal: AbortSignal): Promise<Token | undefined> {
  const [code, symbol, decimals] = await Promise.all([
    rpc.ask('eth_getCode', [address, 'latest'], signal),
    readField(rpc, address, 'symbol', signal),
    readField(rpc, address, 'decimals', signal),
  ])
  if (typeof code !== 'string' || code === '0x') return undefined
  if (typeof decimals === 'bigint' && decimals > MAX_DECIMALS) return undefined
  return {
    address,
    symbol: typeof symbol === 'string' ? symbol.slice(0, MAX_SYMBOL_LENGTH) : undefined,
    decimals: typeof decimals === 'bigint' ? Number(decimals) : undefined,
  }
}

/** Returns undefined if the contract reverts or returns another type. Throws if the node did not run the call. */
async function readField(
  rpc: Rpc,
  to: Address,
  functionName: 'symbol' | 'decimals',
  signal: AbortSignal,
): Promise<string | bigint | undefined> {
  const data = encodeFunctionData({ abi, functionName })
  const answer = await rpc.ask('eth_call', [{ to, data }, 'latest'], signal).catch((error: unknown) => {
    if (isRevert(error)) return '0x'
    throw error
  })
  if (typeof answer !== 'string') throw new LatchkeyError('server_unreachable', 'The chain gave no answer')
  try {
    return decodeFunctionResult({ abi, functionName, data: answer as Hex })
  } catch {
    return undefined
  }
}

/** The codes of Geth and its forks, and of OpenEthereum and Nethermind. Other nodes have no code for reverts. */
const revertCodes: readonly number[] = [3, -32_015]

/** Returns whether the contract reverted. Nodes also return errors of their own, such as rate limits. */
const isRevert = (error: unknown) =>
  error instanceof RpcRefused &&
  (revertCodes.includes(error.code) || /revert|invalid opcode/i.test(error.message))

export const l1FeeCall = (serialized: Hex): { to: string; data: Hex } => ({
  to: gasPriceOracleAddress,
  data: encodeFunctionData({ abi, functionName: 'getL1Fee', args: [serialized] }),
})

/** Serializes the unsigned transaction. The vault computes its hash. */
export function serialize(
  { chainId, to, data, value }: Transaction,
  { nonce, gasLimit, fees }: { nonce: number; gasLimit: bigint; fees: Fees },
): Hex {
  const common = { chainId, nonce, to, data, value, gas: gasLimit }
  if (fees.kind === 'legacy')
    return serializeTransaction({ ...common, type: 'legacy', gasPrice: fees.gasPrice })
  const { maxFeePerGas, maxPriorityFeePerGas } = fees
  return serializeTransaction({ ...common, type: 'eip1559', maxFeePerGas, maxPriorityFeePerGas })
}

/** Returns the address with its checksum, or undefined if its own checksum is wrong. */
export function checksummed(address: string): Hex | undefined {
  const digits = address.slice(2)
  const expected = getAddress(`0x${digits.toLowerCase()}`)
  const hasNoChecksum = digits === digits.toLowerCase() || digits === digits.toUpperCase()
  return hasNoChecksum || expected === address ? expected : undefined
}

/** Returns the transaction hash of a signed transaction. */
export const hashTransaction = (signed: string): Hex => keccak256(signed as Hex)
