/** What transactions need of viem: it comes with the first of them. */

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

const questions = parseAbi([
  'function symbol() view returns (string)',
  // A uint8, by its standard. It is read as the whole word, so that what does not fit is seen.
  'function decimals() view returns (uint256)',
  'function getL1Fee(bytes unsigned) view returns (uint256)',
])

const MAX_SYMBOL_LENGTH = 32
/** The highest uint8: https://eips.ethereum.org/EIPS/eip-20#decimals. Amounts are divided by ten to the power of it. */
const MAX_DECIMALS = 255n

export async function actionOf(rpc: Rpc, transaction: Transaction, signal: AbortSignal): Promise<Action> {
  const { to, data, value } = transaction
  if (to === null) return { kind: 'contract-creation', data }
  if (data === '0x') return { kind: 'native-transfer' }
  const unknown: Action = { kind: 'unknown', data }
  // Nothing that tokens do takes money along: whoever sends some means something else.
  if (value !== 0n || !isTokenCall(data)) return unknown
  const token = await tokenAt(rpc, to, signal)
  return (token && parseTokenAction(token, data, (address) => getAddress(address))) ?? unknown
}

/** Undefined where no contract is at the address, or one that says what no token can. */
async function tokenAt(rpc: Rpc, address: Address, signal: AbortSignal): Promise<Token | undefined> {
  const [code, symbol, decimals] = await Promise.all([
    rpc.ask('eth_getCode', [address, 'latest'], signal),
    said(rpc, address, 'symbol', signal),
    said(rpc, address, 'decimals', signal),
  ])
  if (typeof code !== 'string' || code === '0x') return undefined
  if (typeof decimals === 'bigint' && decimals > MAX_DECIMALS) return undefined
  return {
    address,
    symbol: typeof symbol === 'string' ? symbol.slice(0, MAX_SYMBOL_LENGTH) : undefined,
    decimals: typeof decimals === 'bigint' ? Number(decimals) : undefined,
  }
}

/** What a contract refuses to answer, or answers in another form, it does not say. Who was not reached said nothing. */
async function said(
  rpc: Rpc,
  to: Address,
  functionName: 'symbol' | 'decimals',
  signal: AbortSignal,
): Promise<string | bigint | undefined> {
  const data = encodeFunctionData({ abi: questions, functionName })
  const answer = await rpc.ask('eth_call', [{ to, data }, 'latest'], signal).catch((error: unknown) => {
    if (isOfContract(error)) return '0x'
    throw error
  })
  if (typeof answer !== 'string') throw new LatchkeyError('server_unreachable', 'The chain gave no answer')
  try {
    return decodeFunctionResult({ abi: questions, functionName, data: answer as Hex })
  } catch {
    return undefined
  }
}

/** Geth and its relatives, then OpenEthereum and Nethermind. Others have no code of their own for it. */
const revertCodes: readonly number[] = [3, -32_015]

/** The contract was run, and refused; a node refuses for reasons of its own, as that it was asked too often. */
const isOfContract = (error: unknown) =>
  error instanceof RpcRefused &&
  (revertCodes.includes(error.code) || /revert|invalid opcode/i.test(error.message))

export const l1FeeQuestion = (serialized: Hex): { to: string; data: Hex } => ({
  to: gasPriceOracleAddress,
  data: encodeFunctionData({ abi: questions, functionName: 'getL1Fee', args: [serialized] }),
})

/** As it is serialized for the hash, which the vault makes itself. */
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

export function checksummed(written: string): Hex | undefined {
  const digits = written.slice(2)
  const right = getAddress(`0x${digits.toLowerCase()}`)
  const saysNothing = digits === digits.toLowerCase() || digits === digits.toUpperCase()
  return saysNothing || right === written ? right : undefined
}

/** The hash by which the chain knows a signed transaction. */
export const hashOf = (signed: string): Hex => keccak256(signed as Hex)
