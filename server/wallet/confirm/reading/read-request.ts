/**
 * Parses the request to sign and computes its digest, without trusting the dialog. Rejects a request that it cannot
 * parse exactly. Loaded with the first request.
 */
import { channelLimits, confirmLimits, isSameAddress, LatchkeyError, walletSizes } from '@latchkey/protocol'
import { analyzeTypedData, findSignInDomains, listTokens, movesCoin } from '@latchkey/protocol/reading'
import {
  type AccountAction,
  type ConfirmableRequest,
  decodeText,
  encodeMessage,
  encodeSolanaTransaction,
  encodeText,
  encodeTypedData,
  entryPoint,
  isReservedForProofs,
  parseTypedData,
  type TypedData,
  type WalletRpcRequest,
} from '@latchkey/protocol/wallet'
import type { Hex } from 'viem'
import {
  bytesToHex,
  getAddress,
  hashMessage,
  keccak256,
  parseTransaction,
  serializeTransaction,
  sha256,
} from 'viem/utils'
import { digestAction } from './action.ts'
import { readDelegation } from './read-delegation.ts'
import { readOperation } from './read-operation.ts'
import type { Reading } from './reading.ts'
import { determineEffects } from './solana/effects.ts'
import { parseTransaction as parseSolanaTransaction } from './solana/transaction.ts'

/** Parses a request. `wallet` is undefined for an account action of a user without a wallet. */
export function readRequest(request: ConfirmableRequest, wallet: string | undefined): Reading {
  switch (request.method) {
    case 'personal_sign': {
      const [message, address] = request.params
      assertSigner(address, wallet)
      return readMessage(message)
    }
    case 'eth_signTypedData_v4': {
      const [address, text, digest] = request.params
      assertSigner(address, wallet)
      return readTypedData(text, digest, address)
    }
    case 'eth_signTransaction': {
      const [transaction, address] = request.params
      assertSigner(address, wallet)
      return readTransaction(toLowerHex(transaction))
    }
    case 'eth_signUserOperation': {
      const [address, operation, digest] = request.params
      assertSigner(address, wallet)
      return readOperation(operation, digest, address)
    }
    case 'eth_signAuthorization': {
      const [address, delegation, digest] = request.params
      assertSigner(address, wallet)
      return readDelegation(delegation, digest, address)
    }
    case 'signMessage': {
      const [message, publicKey] = request.params
      assertSigner(publicKey, wallet)
      return readSolanaMessage(message)
    }
    case 'solana_signTransaction': {
      const [transaction, publicKey] = request.params
      assertSigner(publicKey, wallet)
      return readSolanaTransaction(Buffer.from(transaction.slice(2), 'hex'), publicKey)
    }
    case 'export':
    case 'set-recovery':
      assertSigner(request.params[0], wallet)
      return readAction(request)
    case 'import':
    case 'delete-account':
    case 'remove-method':
      return readAction(request)
    default:
      return request satisfies never
  }
}

/**
 * Creates the signature request for a message like the dialog does. Hex-encodes the text, which is unambiguous.
 */
export const createMessageRequest = (address: string, message: string) => ({
  method: 'personal_sign' as const,
  params: [bytesToHex(readableBytes(message)), address] satisfies [Hex, string],
})

/** Creates the signature request for typed data, with its digest. */
export function createTypedDataRequest(address: string, text: string): WalletRpcRequest {
  const maxBytes = channelLimits.maxSignRequestBytes / 2
  const data = parseTypedData(text, { maxBytes, address: toChecksumAddress })
  return { method: 'eth_signTypedData_v4', params: [address, JSON.stringify(data), digestTypedData(data)] }
}

type TransactionFields = {
  chainId: number
  /** Undefined for a contract creation. */
  to: string | undefined
  value: bigint
  data: string
  gas: bigint
  maxFeePerGas: bigint
}

/** Creates the signature request for a transaction. Its nonce is 0, which no rule reads. */
export function createTransactionRequest(
  address: string,
  { to, data, ...fields }: TransactionFields,
): WalletRpcRequest {
  const hexes = { data: toLowerHex(data), ...(to !== undefined && { to: toLowerHex(to) }) }
  const serialized = serializeTransaction({ type: 'eip1559', nonce: 0, ...fields, ...hexes })
  return { method: 'eth_signTransaction', params: [serialized, address] }
}

const readAction = (action: AccountAction): Reading => ({ kind: 'account', digest: digestAction(action) })

function assertSigner(address: string, wallet: string | undefined): void {
  if (wallet !== undefined && isSameAddress(address, wallet)) return
  throw invalidData('params', 'The address in the request does not match the wallet')
}

function readMessage(message: string): Reading {
  const raw = readableBytes(message)
  return { ...readBytes(raw), digest: hashMessage({ raw }) }
}

/** Solana signs the message itself. The digest here only identifies the text. */
function readSolanaMessage(message: string): Reading {
  const raw = encodeText(message)
  if (raw === undefined) throw invalidMessage('The message is not well-formed text')
  return { ...readBytes(raw), digest: sha256(raw) }
}

function readSolanaTransaction(wire: Buffer, wallet: string): Reading {
  const transaction = parseSolanaTransaction(wire)
  if (transaction === undefined) throw invalidData('params', 'The transaction cannot be parsed')
  if (!transaction.keys.slice(0, transaction.header.signers).includes(wallet))
    throw invalidData('params', 'The wallet is no signer of the transaction')
  return {
    kind: 'solana_transaction',
    wire,
    digest: sha256(encodeSolanaTransaction(wire)),
    lookups: transaction.lookups,
    ...determineEffects(transaction, wallet),
  }
}

/** Decodes a message. Rejects malformed hex and text that is not valid UTF-8. */
function readableBytes(message: string): Uint8Array {
  const raw = encodeMessage(message)
  if (raw !== undefined) return raw
  if (message.startsWith('0x')) throw invalidMessage('A message that starts with 0x must be hex')
  throw invalidMessage('The message is not well-formed text')
}

/** Checks the length first, so that the parsers below see no oversized input. */
function readBytes(raw: Uint8Array) {
  assertSignable(raw)
  return { kind: 'message' as const, isText: isText(raw), signInDomains: findSignInDomains(raw) }
}

function assertSignable(raw: Uint8Array): void {
  if (raw.length === 0) throw invalidMessage('The message is empty')
  if (raw.length > walletSizes.maxMessageBytes) throw invalidMessage('The message is too long to sign')
  if (isReservedForProofs(raw)) throw invalidMessage('This message is reserved and cannot be signed')
}

/** Control characters except tab and line breaks. Format characters such as joiners and bidi marks are allowed. */
const controlCharacters = /[^\P{C}\p{Cf}\t\n\r]/u

function isText(raw: Uint8Array): boolean {
  const text = decodeText(raw)
  return text !== undefined && !controlCharacters.test(text)
}

function readTypedData(text: string, shown: string, wallet: string): Reading {
  const data = parseTypedData(text, {
    maxBytes: channelLimits.maxSignRequestBytes,
    address: toChecksumAddress,
  })
  const { types, domain, primaryType } = data
  requireNoOperation(data, wallet)
  const digest = digestTypedData(data)
  if (digest !== shown.toLowerCase())
    throw invalidData('params', 'The typed data does not match the displayed hash')
  const { chainId, verifyingContract } = domain
  const findings = analyzeTypedData(data, wallet)
  return {
    kind: 'typed_data',
    digest,
    primaryType,
    structs: Object.keys(types),
    chainId: typeof chainId === 'string' ? chainId : undefined,
    contract: typeof verifyingContract === 'string' ? verifyingContract : undefined,
    tokens: listTokens(findings).slice(0, confirmLimits.maxNamedTokens),
    movesCoin: movesCoin(findings),
  }
}

/** Throws for an operation of this wallet. Its calls are readable only if they are requested as fields. */
function requireNoOperation({ primaryType, domain, message }: TypedData, wallet: string): void {
  if (primaryType !== 'PackedUserOperation') return
  const isForEntryPoint = isSameAddress(String(domain.verifyingContract), entryPoint)
  if (!isForEntryPoint || !isSameAddress(String(message.sender), wallet)) return
  throw invalidMessage('Operations of the wallet itself are signed by wallet_sendCalls only')
}

/**
 * Hashes without viem, which hashes each type again for every value. A request may have thousands of values.
 */
function digestTypedData(data: TypedData): Hex {
  try {
    return keccak256(encodeTypedData(data, (bytes) => keccak256(bytes, 'bytes')))
  } catch (cause) {
    throw new LatchkeyError('invalid_message', 'The typed data cannot be hashed', { cause })
  }
}

/** Returns the checksummed address, or undefined if the mixed case is no valid EIP-55 checksum. */
function toChecksumAddress(written: string): string | undefined {
  const digits = written.slice(2)
  const checksumAddress = getAddress(`0x${digits.toLowerCase()}`)
  const isSingleCase = digits === digits.toLowerCase() || digits === digits.toUpperCase()
  return isSingleCase || checksumAddress === written ? checksumAddress : undefined
}

/** Parses a transaction. Accepts only the canonical serialization, so that each meaning has one encoding. */
function readTransaction(serialized: Hex): Reading {
  const parsed = parseUnsignedTransaction(serialized)
  const { chainId, to, value = 0n, data = '0x', gas = 0n } = parsed
  const price = (parsed.type === 'eip1559' ? parsed.maxFeePerGas : parsed.gasPrice) ?? 0n
  return {
    kind: 'transaction',
    digest: keccak256(serialized),
    chainId: String(chainId),
    to: to ?? undefined,
    value,
    data,
    mostFee: gas * price,
    serialized,
  }
}

function parseUnsignedTransaction(serialized: Hex) {
  try {
    const parsed = parseTransaction(serialized)
    const isKnown = parsed.type === 'eip1559' || parsed.type === 'legacy'
    if (isKnown && isUnsigned(parsed) && serializeTransaction(parsed) === serialized) return parsed
  } catch {
    // Replaced below, because viem's errors describe its own functions.
  }
  throw invalidData('params', 'The transaction cannot be parsed')
}

/** Whether the transaction names its chain and has neither a signature nor an access list. */
const isUnsigned = (parsed: {
  chainId?: number | undefined
  r?: unknown
  accessList?: readonly unknown[] | undefined
}) =>
  Number.isSafeInteger(parsed.chainId) &&
  (parsed.chainId ?? 0) > 0 &&
  parsed.r === undefined &&
  (parsed.accessList ?? []).length === 0

const toLowerHex = (text: string): Hex => `0x${text.slice(2).toLowerCase()}`
const invalidMessage = (message: string) => new LatchkeyError('invalid_message', message)
const invalidData = (path: string, message: string) =>
  new LatchkeyError('invalid_data', message, { details: { path } })
