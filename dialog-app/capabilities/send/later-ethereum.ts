/** What transactions need of viem: it comes with the first of them. */

import { LatchkeyError } from '@latchkey/protocol'
import type { Address } from 'viem'
import {
  decodeFunctionData,
  decodeFunctionResult,
  encodeFunctionData,
  getAddress,
  keccak256,
  parseAbi,
  parseTransaction,
  serializeTransaction,
} from 'viem/utils'
import { type Rpc, RpcRefused } from '../../chains/rpc.ts'
import type { Action, Token } from './action.ts'
import type { Fees, Hex, Transaction } from './transaction.ts'

/** What tokens are asked to do, by their standards: ERC-20, 721, 1155 and 2612. */
const calls = parseAbi([
  'function transfer(address to, uint256 amount)',
  'function transferFrom(address from, address to, uint256 amount)',
  'function approve(address spender, uint256 amount)',
  'function increaseAllowance(address spender, uint256 amount)',
  'function permit(address owner, address spender, uint256 amount, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
  'function setApprovalForAll(address operator, bool approved)',
  'function safeTransferFrom(address from, address to, uint256 id)',
  'function safeTransferFrom(address from, address to, uint256 id, bytes data)',
  'function safeTransferFrom(address from, address to, uint256 id, uint256 count, bytes data)',
])
const questions = parseAbi([
  'function symbol() view returns (string)',
  // A uint8, by its standard. It is read as the whole word, so that what does not fit is seen.
  'function decimals() view returns (uint256)',
])

/** No token has so much; an allowance above it is one without limit. */
const UNLIMITED_BITS = 128n
const MAX_SYMBOL_LENGTH = 32
/** Of a uint8: https://eips.ethereum.org/EIPS/eip-20#decimals. Amounts are divided by ten to the power of it. */
const MAX_DECIMALS = 255n

export async function actionOf(rpc: Rpc, transaction: Transaction, signal: AbortSignal): Promise<Action> {
  const { to, data, value } = transaction
  if (to === null) return { kind: 'contract-creation', data }
  if (data === '0x') return { kind: 'native-transfer' }
  const unknown: Action = { kind: 'unknown', data }
  const called = decoded(data)
  // Nothing that tokens do takes money along: whoever sends some means something else.
  if (!called || value !== 0n) return unknown
  const token = await tokenAt(rpc, to, signal)
  if (token === undefined) return unknown
  return actionOn(token, called) ?? unknown
}

function decoded(data: Hex) {
  try {
    const called = decodeFunctionData({ abi: calls, data })
    // What stands after the arguments is read by nobody here, and perhaps by the contract.
    const again = encodeFunctionData({ abi: calls, ...called } as Parameters<typeof encodeFunctionData>[0])
    return again === data.toLowerCase() ? called : undefined
  } catch {
    return undefined
  }
}

/** Undefined where there are no words for all of it. */
function actionOn(token: Token, called: NonNullable<ReturnType<typeof decoded>>): Action | undefined {
  const isThing = token.decimals === undefined
  switch (called.functionName) {
    case 'transfer': {
      const [to, amount] = called.args
      return { kind: 'token-transfer', token, to, amount }
    }
    case 'transferFrom': {
      const [from, to, amount] = called.args
      if (isThing) return { kind: 'thing-transfer', token, to, id: amount, count: 1n }
      return { kind: 'token-transfer-from', token, from, to, amount }
    }
    case 'approve': {
      const [spender, amount] = called.args
      if (isThing) {
        return { kind: 'thing-approval', token, spender, id: amount, isUnlimited: limitOf(amount) === null }
      }
      return { kind: 'approval', token, spender, amount: limitOf(amount) }
    }
    case 'increaseAllowance': {
      const [spender, amount] = called.args
      return { kind: 'approval', token, spender, amount: limitOf(amount) }
    }
    case 'permit': {
      const [, spender, amount] = called.args
      return { kind: 'approval', token, spender, amount: limitOf(amount) }
    }
    case 'setApprovalForAll': {
      const [spender, isGiven] = called.args
      return { kind: 'approval-for-all', token, spender, isGiven }
    }
    case 'safeTransferFrom': {
      const [, to, id, fourth, fifth] = called.args
      const [count, bytes] = typeof fourth === 'bigint' ? [fourth, fifth] : [1n, fourth]
      // Who gets it is called with them, and may do anything.
      if ((bytes ?? '0x') !== '0x') return undefined
      return { kind: 'thing-transfer', token, to, id, count }
    }
    default:
      return called satisfies never
  }
}

const limitOf = (amount: bigint) => (amount >> UNLIMITED_BITS === 0n ? amount : null)

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

/** As it is serialized for the hash, which the vault makes itself. */
export function serialize(
  { chainId, to, data, value }: Transaction,
  { nonce, gasLimit, fees }: { readonly nonce: number; readonly gasLimit: bigint; readonly fees: Fees },
): Hex {
  const common = { chainId, nonce, to, data, value, gas: gasLimit }
  if (fees.kind === 'legacy')
    return serializeTransaction({ ...common, type: 'legacy', gasPrice: fees.gasPrice })
  const { maxFeePerGas, maxPriorityFeePerGas } = fees
  return serializeTransaction({ ...common, type: 'eip1559', maxFeePerGas, maxPriorityFeePerGas })
}

export type Unsigned = {
  readonly transaction: Transaction
  readonly set: { readonly nonce: number; readonly gasLimit: bigint; readonly fees: Fees }
}

/** To the letter: what it says besides, in another form or order, is no transaction of ours. */
export function readUnsigned(unsigned: string): Unsigned {
  const parsed = parseTransaction(unsigned as Hex)
  const { chainId, to, data = '0x', value = 0n, nonce = 0, gas = 0n } = parsed
  const { gasPrice, maxFeePerGas = 0n, maxPriorityFeePerGas = 0n } = parsed
  const fees: Fees =
    gasPrice === undefined
      ? { kind: 'market', maxFeePerGas, maxPriorityFeePerGas }
      : { kind: 'legacy', gasPrice }
  const set = { nonce, gasLimit: gas, fees }
  const transaction: Transaction = {
    chainId: chainId ?? 0,
    to: to ? getAddress(to) : null,
    data,
    value,
    nonce,
    gasLimit: gas,
    gasPrice,
    maxFeePerGas: fees.kind === 'market' ? maxFeePerGas : undefined,
    maxPriorityFeePerGas: fees.kind === 'market' ? maxPriorityFeePerGas : undefined,
  }
  if (serialize(transaction, set) === unsigned.toLowerCase()) return { transaction, set }
  throw new LatchkeyError('invalid_data', 'The transaction can not be read to the letter')
}

export function checksummed(written: string): Hex | undefined {
  const digits = written.slice(2)
  const right = getAddress(`0x${digits.toLowerCase()}`)
  const saysNothing = digits === digits.toLowerCase() || digits === digits.toUpperCase()
  return saysNothing || right === written ? right : undefined
}

/** By which the chain knows a signed transaction; of one without a signature, what is signed. */
export const hashOf = (signed: string): Hex => keccak256(signed as Hex)
