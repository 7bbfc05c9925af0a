/** The signatures of mock wallets. They are real, from publicly known keys. */

import { LatchkeyError, type SignedMessage, type TransactionRequest } from '@latchkey/loader'
import { type SolanaSignInFields, writeSolanaSignIn } from '@latchkey/loader/fake'
import { ed25519 } from '@noble/curves/ed25519.js'
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { base58 } from '@scure/base'
import { keccak256, type TypedDataDefinition } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Hex } from './accounts.ts'

const isHex = (text: unknown): text is Hex => /^0x(?:[0-9a-fA-F]{2})+$/.test(String(text))

/** Returns the message for viem. Rejects invalid messages as the dialog does. */
function readMessage(message: unknown): string | { raw: Hex } {
  const { raw } = Object(message)
  if (isHex(raw)) return { raw }
  if (typeof message !== 'string' || message === '')
    throw new LatchkeyError('invalid_message', 'Message must be a non-empty string')
  return message
}

export async function signMessage(key: Hex, message: unknown): Promise<SignedMessage> {
  const read = readMessage(message)
  const account = privateKeyToAccount(key)
  return { signature: await account.signMessage({ message: read }), address: account.address }
}

export function signSolanaMessage(key: Uint8Array, message: unknown) {
  if (typeof message !== 'string' || message === '')
    throw new LatchkeyError('invalid_message', 'Message must be a non-empty string')
  return {
    signature: base58.encode(ed25519.sign(utf8ToBytes(message), key)),
    address: base58.encode(ed25519.getPublicKey(key)),
  }
}

type SignInInput = Omit<SolanaSignInFields, 'domain'> & { domain?: string; address?: string }

export function signInSolana(key: Uint8Array, { address, ...fields }: SignInInput) {
  const own = base58.encode(ed25519.getPublicKey(key))
  if (address !== undefined && address !== own)
    throw new LatchkeyError('invalid_data', 'The user has another Solana wallet')
  const domain = fields.domain ?? globalThis.location?.host ?? 'localhost'
  const message = writeSolanaSignIn({ ...fields, domain }, own)
  return { message, ...signSolanaMessage(key, message) }
}

const SIGNATURE_BYTES = 64
const KEY_BYTES = 32

/** Signs a serialized Solana transaction with fewer than 128 signers and accounts. */
export function signSolanaTransaction(key: Uint8Array, transaction: string) {
  if (!isHex(transaction)) throw new LatchkeyError('invalid_data', 'A transaction must be hex')
  const bytes = hexToBytes(transaction.slice(2))
  const [signers = 0] = bytes
  const message = bytes.subarray(1 + signers * SIGNATURE_BYTES)
  // A message of version 0 begins with a byte for its version. Three bytes of counts precede the accounts.
  const accounts = message.subarray((message[0] ?? 0) < 0x80 ? 4 : 5)
  const publicKey = base58.encode(ed25519.getPublicKey(key))
  const position = Array.from({ length: signers }, (_, at) =>
    base58.encode(accounts.subarray(at * KEY_BYTES, (at + 1) * KEY_BYTES)),
  ).indexOf(publicKey)
  if (position < 0) throw new LatchkeyError('invalid_data', 'The wallet is no signer of the transaction')
  bytes.set(ed25519.sign(message, key), 1 + position * SIGNATURE_BYTES)
  return {
    transaction: `0x${bytesToHex(bytes)}`,
    /** The signature of the fee payer. */
    signature: base58.encode(bytes.subarray(1, 1 + SIGNATURE_BYTES)),
    address: publicKey,
  }
}

/** Parses typed data. Rejects data for another chain than the wallet's, `chainId`. */
export function readTypedData(json: string, chainId: number): TypedDataDefinition {
  const data = readJson(json)
  const asked = Object(data.domain).chainId
  if (asked !== undefined && Number(asked) !== chainId)
    throw new LatchkeyError(
      'unsupported_chain_id',
      `The typed data is for chain ${asked}, and the wallet is on ${chainId}`,
    )
  return data
}

function readJson(json: string): TypedDataDefinition {
  try {
    const data = JSON.parse(json)
    if (typeof Object(data).primaryType === 'string' && typeof Object(data).types === 'object') return data
  } catch {
    // Handled like data of the wrong shape.
  }
  throw new LatchkeyError('invalid_message', 'This is not typed data')
}

export async function signTypedData(key: Hex, data: TypedDataDefinition): Promise<SignedMessage> {
  const account = privateKeyToAccount(key)
  try {
    return { signature: await account.signTypedData(data), address: account.address }
  } catch (cause) {
    throw new LatchkeyError('invalid_message', 'A value does not match its type', { cause })
  }
}

type Sent = { transaction: TransactionRequest; chainId: number; nonce: number }
const optional = <Name extends string>(name: Name, value: string | number | bigint | undefined) =>
  value === undefined ? {} : { [name]: BigInt(value) }

/** Signs an EIP-1559 transaction, with default prices unless the caller sets them. */
export async function signTransaction(
  key: Hex,
  { transaction, chainId, nonce }: Sent,
): Promise<{ signed: Hex; hash: Hex }> {
  const { to, data, value, gasLimit, maxFeePerGas, maxPriorityFeePerGas, gasPrice } = transaction
  if (transaction.chainId !== undefined && transaction.chainId !== chainId)
    throw new LatchkeyError(
      'unsupported_chain_id',
      `The transaction is for chain ${transaction.chainId}, and the wallet is on ${chainId}`,
    )
  const common = {
    chainId,
    nonce: transaction.nonce === undefined ? nonce : Number(transaction.nonce),
    gas: BigInt(gasLimit ?? 21_000),
    ...(to !== undefined && { to: to as Hex }),
    ...(data !== undefined && { data: data as Hex }),
    ...optional('value', value),
  }
  const signed = await privateKeyToAccount(key).signTransaction(
    gasPrice === undefined
      ? {
          ...common,
          type: 'eip1559',
          maxFeePerGas: BigInt(maxFeePerGas ?? 2_000_000_000),
          maxPriorityFeePerGas: BigInt(maxPriorityFeePerGas ?? 1_000_000_000),
        }
      : { ...common, type: 'legacy', gasPrice: BigInt(gasPrice) },
  )
  return { signed, hash: keccak256(signed) }
}
