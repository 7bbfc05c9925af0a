/**
 * What a request asks to have signed, as this server reads it by itself: nobody's word is taken for it, and what can
 * not be read to the letter is refused. It comes with the first request.
 */
import { channelLimits, confirmLimits, isSameAddress, LatchkeyError, walletSizes } from '@latchkey/protocol'
import { analyzeTypedData, findSignInDomains, listTokens, movesCoin } from '@latchkey/protocol/reading'
import {
  type AccountAction,
  type ConfirmableRequest,
  decodeText,
  encodeMessage,
  encodeText,
  encodeTypedData,
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
import { digestOf } from './action.ts'
import type { Reading } from './reading.ts'

/** `wallet` is missing for what is done with an account that has none. */
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
      return readTransaction(asHex(transaction))
    }
    case 'signMessage': {
      const [message, publicKey] = request.params
      assertSigner(publicKey, wallet)
      return readSolanaMessage(message)
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
 * The request for a message as the dialog makes it: the text as the hex of its bytes, which can be read in one way
 * only.
 */
export const messageRequest = (address: string, message: string) => ({
  method: 'personal_sign' as const,
  params: [bytesToHex(readableBytes(message)), address] satisfies [Hex, string],
})

/** The request for typed data, with the hash of what it was read as. */
export function typedDataRequest(address: string, given: string): WalletRpcRequest {
  const maxBytes = channelLimits.maxSignRequestBytes / 2
  const data = parseTypedData(given, { maxBytes, address: checksummed })
  return { method: 'eth_signTypedData_v4', params: [address, JSON.stringify(data), digestOfTypedData(data)] }
}

const readAction = (action: AccountAction): Reading => ({ kind: 'account', digest: digestOf(action) })

function assertSigner(address: string, wallet: string | undefined): void {
  if (wallet !== undefined && isSameAddress(address, wallet)) return
  throw invalid('params', 'The request names another address than the wallet')
}

function readMessage(message: string): Reading {
  const raw = readableBytes(message)
  return { ...readBytes(raw), digest: hashMessage({ raw }) }
}

/** A message on Solana is signed itself and not by a digest; the digest here only names the text. */
function readSolanaMessage(message: string): Reading {
  const raw = encodeText(message)
  if (raw === undefined) throw unreadable('The message is not well-formed text')
  return { ...readBytes(raw), digest: sha256(raw) }
}

/** Reads a message of one spelling: text that looks like broken hex, or has no UTF-8, is refused. */
function readableBytes(message: string): Uint8Array {
  const raw = encodeMessage(message)
  if (raw !== undefined) return raw
  if (message.startsWith('0x')) throw unreadable('A message that starts with 0x must be hex')
  throw unreadable('The message is not well-formed text')
}

/** The length comes first, so that no reader below sees more than a wallet signs. */
function readBytes(raw: Uint8Array) {
  assertSignable(raw)
  return { kind: 'message' as const, isText: isText(raw), signInDomains: findSignInDomains(raw) }
}

function assertSignable(raw: Uint8Array): void {
  if (raw.length === 0) throw unreadable('The message is empty')
  if (raw.length > walletSizes.maxMessageBytes) throw unreadable('The message is too long to sign')
  if (isReservedForProofs(raw)) throw unreadable('This message is reserved and can not be signed')
}

/** Characters that no text contains. Those that join letters or turn their direction are allowed. */
const unwritten = /[^\P{C}\p{Cf}\t\n\r]/u

function isText(raw: Uint8Array): boolean {
  const text = decodeText(raw)
  return text !== undefined && !unwritten.test(text)
}

function readTypedData(text: string, shown: string, wallet: string): Reading {
  const data = parseTypedData(text, { maxBytes: channelLimits.maxSignRequestBytes, address: checksummed })
  const { types, domain, primaryType } = data
  const digest = digestOfTypedData(data)
  if (digest !== shown.toLowerCase())
    throw invalid('params', 'The typed data has another hash than was shown')
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

/**
 * This hashes without the library, which hashes a type anew for each of its values, of which a request may have
 * thousands.
 */
function digestOfTypedData(data: TypedData): Hex {
  try {
    return keccak256(encodeTypedData(data, (bytes) => keccak256(bytes, 'bytes')))
  } catch (cause) {
    throw new LatchkeyError('invalid_message', 'The typed data can not be hashed', { cause })
  }
}

/** Undefined where its letters say that a digit is wrong. */
function checksummed(written: string): string | undefined {
  const digits = written.slice(2)
  const right = getAddress(`0x${digits.toLowerCase()}`)
  const saysNothing = digits === digits.toLowerCase() || digits === digits.toUpperCase()
  return saysNothing || right === written ? right : undefined
}

/** What is not written as the library itself would write it is no transaction here: one spelling, one meaning. */
function readTransaction(serialized: Hex): Reading {
  const parsed = parsedTransaction(serialized)
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

function parsedTransaction(serialized: Hex) {
  try {
    const parsed = parseTransaction(serialized)
    const isKnown = parsed.type === 'eip1559' || parsed.type === 'legacy'
    if (isKnown && isUnsigned(parsed) && serializeTransaction(parsed) === serialized) return parsed
  } catch {
    // The library's words are about its own functions.
  }
  throw invalid('params', 'The transaction can not be read')
}

/** The transaction names its chain, and has neither a signature nor an access list. */
const isUnsigned = (parsed: {
  chainId?: number | undefined
  r?: unknown
  accessList?: readonly unknown[] | undefined
}) =>
  Number.isSafeInteger(parsed.chainId) &&
  (parsed.chainId ?? 0) > 0 &&
  parsed.r === undefined &&
  (parsed.accessList ?? []).length === 0

const asHex = (text: string): Hex => `0x${text.slice(2).toLowerCase()}`
const unreadable = (message: string) => new LatchkeyError('invalid_message', message)
const invalid = (path: string, message: string) =>
  new LatchkeyError('invalid_data', message, { details: { path } })
