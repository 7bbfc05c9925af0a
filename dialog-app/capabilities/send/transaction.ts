/** What a host asks for and hears of a transaction, which is read before anything is shown. */
import { LatchkeyError, type SendUi, type TransactionRequest } from '@latchkey/protocol'
import type { transactionReceiptSchema } from '@latchkey/protocol/host'
import type * as v from 'valibot'
import { asHex, type Hex } from '../../browser/hex.ts'
import { currentChain, usableChains } from '../../host/chains.ts'
import type { Relayed } from '../../host/host-calls.ts'
import type { Settings } from '../../host/settings.ts'

export type SendRequest = {
  transaction: TransactionRequest
  ui?: SendUi
  /** That the page has opened for it. */
  window?: string | undefined
  relayed?: Relayed | undefined
  /** When its caller hears. One that is signed for its caller is not sent. */
  answerWhen?: 'signed' | 'sent' | 'confirmed'
}

export type Receipt = v.InferOutput<typeof transactionReceiptSchema>
export type Sent = { receipt: Receipt; signedTransaction: Receipt['transactionHash'] }

export type Fees =
  | { kind: 'legacy'; gasPrice: bigint }
  | { kind: 'market'; maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }

export type Transaction = {
  chainId: number
  /** Null where it makes a contract. */
  to: Hex | null
  data: Hex
  value: bigint
  /** What the host left open is undefined. */
  nonce: number | undefined
  gasLimit: bigint | undefined
  gasPrice: bigint | undefined
  maxFeePerGas: bigint | undefined
  maxPriorityFeePerGas: bigint | undefined
}

export const unsupportedChain = (id: number) =>
  new LatchkeyError('unsupported_chain_id', `Unsupported chain: ${id}`, { details: { chainId: id } })

/** Undefined where its letters say that a digit is wrong. */
export type Checksummed = (address: string) => Hex | undefined

export function readTransaction(
  given: TransactionRequest,
  { wallet, checksummed }: { wallet: string; checksummed: Checksummed },
  settings: Settings,
): Transaction {
  const chainId = given.chainId ?? currentChain(settings)
  if (!usableChains(settings).includes(chainId)) throw unsupportedChain(chainId)
  if (given.from !== undefined && given.from.toLowerCase() !== wallet.toLowerCase()) {
    throw invalid('The transaction is from another address than the wallet')
  }
  const data = asHex(given.data ?? '0x')
  if (given.to === undefined && data === '0x') throw invalid('The transaction goes to nobody and has no data')
  if (given.gasPrice !== undefined && (given.maxFeePerGas ?? given.maxPriorityFeePerGas) !== undefined) {
    throw invalid('The transaction has a gas price and a greatest fee, of which one may be')
  }
  const nonce = amountOf(given.nonce)
  if (nonce !== undefined && nonce > BigInt(Number.MAX_SAFE_INTEGER)) throw invalid('The nonce is too great')
  const to = given.to === undefined ? null : checksummed(given.to)
  if (to === undefined) throw invalid('The address that the transaction goes to has a wrong checksum')
  return {
    chainId,
    to,
    data,
    value: amountOf(given.value) ?? 0n,
    nonce: nonce === undefined ? undefined : Number(nonce),
    gasLimit: amountOf(given.gasLimit),
    gasPrice: amountOf(given.gasPrice),
    maxFeePerGas: amountOf(given.maxFeePerGas),
    maxPriorityFeePerGas: amountOf(given.maxPriorityFeePerGas),
  }
}

const amountOf = (given: number | bigint | string | undefined) =>
  given === undefined ? undefined : BigInt(given)

const invalid = (problem: string) => new LatchkeyError('invalid_data', problem)
