/** Reads and validates the transaction of a host call, before a screen is shown. */
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
  /** The window that the host page opened for the request. */
  window?: string | undefined
  relayed?: Relayed | undefined
  /** When the call resolves. With `signed`, the transaction is not sent. */
  answerWhen?: 'signed' | 'sent' | 'confirmed'
}

export type Receipt = v.InferOutput<typeof transactionReceiptSchema>
export type Sent = { receipt: Receipt; signedTransaction: Receipt['transactionHash'] }

export type Fees =
  | { kind: 'legacy'; gasPrice: bigint }
  | { kind: 'market'; maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }

export type Transaction = {
  chainId: number
  /** Null for a contract creation. */
  to: Hex | null
  data: Hex
  value: bigint
  /** Undefined values are chosen by the dialog. */
  nonce: number | undefined
  gasLimit: bigint | undefined
  gasPrice: bigint | undefined
  maxFeePerGas: bigint | undefined
  maxPriorityFeePerGas: bigint | undefined
}

export const unsupportedChain = (id: number) =>
  new LatchkeyError('unsupported_chain_id', `Unsupported chain: ${id}`, { details: { chainId: id } })

/** Returns undefined if the checksum is wrong. */
export type Checksummed = (address: string) => Hex | undefined

export function readTransaction(
  request: TransactionRequest,
  { wallet, checksummed }: { wallet: string; checksummed: Checksummed },
  settings: Settings,
): Transaction {
  const chainId = request.chainId ?? currentChain(settings)
  if (!usableChains(settings).includes(chainId)) throw unsupportedChain(chainId)
  if (request.from !== undefined && request.from.toLowerCase() !== wallet.toLowerCase()) {
    throw invalid('The transaction is from another address than the wallet')
  }
  const data = asHex(request.data ?? '0x')
  if (request.to === undefined && data === '0x')
    throw invalid('The transaction goes to nobody and has no data')
  if (
    request.gasPrice !== undefined &&
    (request.maxFeePerGas ?? request.maxPriorityFeePerGas) !== undefined
  ) {
    throw invalid('The transaction has a gas price and a greatest fee, of which one may be')
  }
  const nonce = toAmount(request.nonce)
  if (nonce !== undefined && nonce > BigInt(Number.MAX_SAFE_INTEGER)) throw invalid('The nonce is too great')
  const to = request.to === undefined ? null : checksummed(request.to)
  if (to === undefined) throw invalid('The address that the transaction goes to has a wrong checksum')
  return {
    chainId,
    to,
    data,
    value: toAmount(request.value) ?? 0n,
    nonce: nonce === undefined ? undefined : Number(nonce),
    gasLimit: toAmount(request.gasLimit),
    gasPrice: toAmount(request.gasPrice),
    maxFeePerGas: toAmount(request.maxFeePerGas),
    maxPriorityFeePerGas: toAmount(request.maxPriorityFeePerGas),
  }
}

const toAmount = (amount: number | bigint | string | undefined) =>
  amount === undefined ? undefined : BigInt(amount)

const invalid = (problem: string) => new LatchkeyError('invalid_data', problem)
