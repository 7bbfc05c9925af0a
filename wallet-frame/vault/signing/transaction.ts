/**
 * `eth_signTransaction`: type 2 (https://eips.ethereum.org/EIPS/eip-1559), or legacy with a chain ID in the
 * hash (https://eips.ethereum.org/EIPS/eip-155). The dialog sends the serialized transaction. This strict
 * parser refuses other types, transactions without a chain ID, and trailing or extra fields.
 */
import { LatchkeyError } from '@latchkey/protocol'
import { signTransactionParamsSchema } from '@latchkey/protocol/wallet'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js'
import * as v from 'valibot'
import { type RlpItem, readList, writeBytes, writeList, writeNumber } from './rlp.ts'
import type { HexText } from './signature.ts'
import type { SigningMethod } from './signing-method.ts'

type Params = v.InferOutput<typeof signTransactionParamsSchema>

export const signTransaction = {
  request: v.strictObject({ method: v.literal('eth_signTransaction'), params: signTransactionParamsSchema }),
  signer: ([, address]) => address,
  message([transaction]) {
    const bytes = hexToBytes(transaction.slice(2))
    readTransaction(bytes)
    return bytes
  },
  digest: (message) => keccak_256(message),
  answer: (message, signature) => signedTransaction(readTransaction(message), signature),
} as const satisfies SigningMethod<'eth_signTransaction', Params>

const FEE_MARKET_TYPE = 0x02
const SMALLEST_LIST = 0xc0

/** The types of fields in a transaction. */
type Field = 'number' | 'to' | 'data' | 'no access' | 'chain' | 'nothing'
const forms = {
  // chainId, nonce, maxPriorityFeePerGas, maxFeePerGas, gasLimit, to, value, data, accessList
  feeMarket: ['chain', 'number', 'number', 'number', 'number', 'to', 'number', 'data', 'no access'],
  // nonce, gasPrice, gasLimit, to, value, data, chainId, 0, 0
  legacy: ['number', 'number', 'number', 'to', 'number', 'data', 'chain', 'nothing', 'nothing'],
} as const satisfies Readonly<Record<string, readonly Field[]>>
type Form = keyof typeof forms

type Transaction = {
  form: Form
  chainId: bigint
  items: readonly RlpItem[]
}

function readTransaction(bytes: Uint8Array): Transaction {
  const [first = 0] = bytes
  if (first !== FEE_MARKET_TYPE && first < SMALLEST_LIST) {
    throw refusal('A transaction of this type is not signed')
  }
  const form: Form = first === FEE_MARKET_TYPE ? 'feeMarket' : 'legacy'
  const fields: readonly Field[] = forms[form]
  const items = readList(form === 'feeMarket' ? bytes.subarray(1) : bytes)
  const fits = items.length === fields.length && items.every((item, at) => fitsField(item, fields[at]))
  const chain = items[fields.indexOf('chain')]
  if (!fits || !chain) throw refusal('The transaction is malformed')
  return { form, chainId: BigInt(`0x${bytesToHex(chain.payload)}`), items }
}

/** The effect and the maximum cost of a transaction, for display. */
export type ReadTransaction = {
  chainId: bigint
  /** The recipient in lowercase; null if the transaction creates a contract. */
  to: HexText | null
  value: bigint
  data: HexText
  mostFee: bigint
}

const fieldIndexes = {
  feeMarket: { maxFee: 3, gasLimit: 4, to: 5, value: 6, data: 7 },
  legacy: { maxFee: 1, gasLimit: 2, to: 3, value: 4, data: 5 },
} as const satisfies Record<Form, object>

/** Parses an unsigned transaction. Throws if the vault would refuse to sign it. */
export function readUnsigned(bytes: Uint8Array): ReadTransaction {
  const { form, chainId, items } = readTransaction(bytes)
  const at = fieldIndexes[form]
  const hexAt = (place: number): HexText => `0x${bytesToHex(items[place]?.payload ?? new Uint8Array())}`
  const numberAt = (place: number) => BigInt(hexAt(place).padEnd(3, '0'))
  const to = hexAt(at.to)
  return {
    chainId,
    to: to === '0x' ? null : to,
    value: numberAt(at.value),
    data: hexAt(at.data),
    mostFee: numberAt(at.gasLimit) * numberAt(at.maxFee),
  }
}

const WORD_BYTES = 32
const ADDRESS_BYTES = 20
/** With a longer chain ID, v of a legacy signature exceeds the range that clients handle safely. */
const CHAIN_BYTES = 6

function fitsField({ kind, payload }: RlpItem, field: Field | undefined): boolean {
  if (field === 'no access') return kind === 'list' && payload.length === 0
  if (kind === 'list') return false
  switch (field) {
    case 'number':
      return payload.length <= WORD_BYTES && payload[0] !== 0
    case 'chain':
      return payload.length > 0 && payload.length <= CHAIN_BYTES && payload[0] !== 0
    // An empty recipient creates a contract.
    case 'to':
      return payload.length === ADDRESS_BYTES || payload.length === 0
    case 'data':
      return true
    case 'nothing':
      return payload.length === 0
    case undefined:
      return false
    default:
      return field satisfies never
  }
}

const HEX_OF_WORD = 2 * WORD_BYTES
const UNTYPED_V = 27n
/** https://eips.ethereum.org/EIPS/eip-155 */
const LEGACY_V = 35n

function signedTransaction({ form, chainId, items }: Transaction, signature: HexText): HexText {
  const digits = signature.slice(2)
  const r = BigInt(`0x${digits.slice(0, HEX_OF_WORD)}`)
  const s = BigInt(`0x${digits.slice(HEX_OF_WORD, 2 * HEX_OF_WORD)}`)
  const parity = BigInt(`0x${digits.slice(2 * HEX_OF_WORD)}`) - UNTYPED_V
  const isTyped = form === 'feeMarket'
  const signed = (isTyped ? items : items.slice(0, -3)).map(({ kind, payload }) =>
    kind === 'list' ? writeList([]) : writeBytes(payload),
  )
  const v = isTyped ? parity : parity + LEGACY_V + 2n * chainId
  const list = writeList([...signed, ...[v, r, s].map(writeNumber)])
  return `0x${bytesToHex(isTyped ? concatBytes(Uint8Array.of(FEE_MARKET_TYPE), list) : list)}`
}

const refusal = (problem: string) => new LatchkeyError('invalid_request_arguments', problem)
