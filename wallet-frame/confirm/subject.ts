/**
 * Parses the request that the server stores under the handle, with the parsers that the vault signs with. The
 * digest is computed only from the parsed content that the page shows.
 */
import { channelLimits, isSameAddress, LatchkeyError } from '@latchkey/protocol'
import type { OpenConfirmation } from '@latchkey/protocol/api'
import {
  type Action,
  analyzeSolanaTransaction,
  analyzeTypedData,
  type Finding,
  parseTokenAction,
  type SolanaMeaning,
  type TreeNode,
  toTypedDataTree,
} from '@latchkey/protocol/reading'
import {
  type AccountAction,
  type ConfirmableRequest,
  decodeText,
  encodeSolanaTransaction,
  noDelegate,
  parseSolanaTransaction,
  parseTypedData,
  toAccountActionText,
  type UserOperation,
} from '@latchkey/protocol/wallet'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { base58 } from '@scure/base'
import { withChecksum } from '../vault/keys/checksum.ts'
import { delegationBytes, readDelegation } from '../vault/signing/delegation-bytes.ts'
import { readUserOperation, userOperationBytes } from '../vault/signing/operation-bytes.ts'
import { personalSign } from '../vault/signing/personal-sign.ts'
import { utf8 } from '../vault/signing/text.ts'
import { readUnsigned } from '../vault/signing/transaction.ts'
import { typedDataBytes } from '../vault/signing/typed-data.ts'

export type Chain = NonNullable<OpenConfirmation['chain']>

export type Call = {
  chainId: bigint
  /** Undefined if the chain is unlisted: amounts are then in its smallest units. */
  chain: Chain | undefined
  to: string | null
  value: bigint
  action: Action
  /** The token is unlisted: its amounts are in its smallest units, or are NFT IDs. */
  isUnlisted: boolean
}

export type Content =
  | { type: 'message'; message: string }
  /** Bytes that are not text may be the hash of anything. */
  | { type: 'bytes'; hex: string }
  | {
      type: 'typed-data'
      tree: readonly TreeNode[]
      findings: readonly Finding[]
    }
  | { type: 'solana-transaction'; wallet: string; meaning: SolanaMeaning }
  | ({ type: 'transaction'; mostFee: bigint } & Call)
  | {
      type: 'operation'
      /** They happen together, or none of them. */
      calls: Call[]
      /** Lets the wallet run the account contract, which can do several calls at once. */
      authorizes: boolean
    }
  | {
      type: 'delegation'
      chainId: bigint
      chain: Chain | undefined
      /** The contract that the wallet runs from now on, or null for none. */
      contract: string | null
      mostFee: bigint
    }
  | { type: 'action'; action: ShownAction }

type ParamsOf<Method extends AccountAction['method']> = Extract<AccountAction, { method: Method }>['params']
export type ShownAction =
  | Exclude<AccountAction['method'], 'import' | 'remove-method' | 'set-recovery'>
  | `remove-${ParamsOf<'remove-method'>[0]}`
  | `recovery-${ParamsOf<'set-recovery'>[1]}`

export type Subject = { digest: string; content: Content }
type RecordFacts = Pick<OpenConfirmation, 'address' | 'chain' | 'token' | 'tokens' | 'lookups'>

/** Parses a request. Throws if any part of it cannot be parsed strictly. */
export async function readSubject(request: ConfirmableRequest, named: RecordFacts): Promise<Subject> {
  switch (request.method) {
    case 'personal_sign': {
      const [message, address] = request.params
      assertWallet(address, named)
      return readMessage(message)
    }
    case 'signMessage': {
      const [message, publicKey] = request.params
      assertWallet(publicKey, named)
      return { digest: await sha256(utf8(message)), content: { type: 'message', message } }
    }
    case 'eth_signTypedData_v4': {
      const [address, text] = request.params
      assertWallet(address, named)
      return readTypedData(text, address)
    }
    case 'eth_signTransaction': {
      const [transaction, address] = request.params
      assertWallet(address, named)
      return readTransaction(hexToBytes(transaction.slice(2)), named)
    }
    case 'solana_signTransaction': {
      const [transaction, publicKey] = request.params
      assertWallet(publicKey, named)
      return readSolanaTransaction(hexToBytes(transaction.slice(2)), publicKey, named)
    }
    case 'eth_signUserOperation': {
      const [address, operation] = request.params
      assertWallet(address, named)
      return readOperation(readUserOperation(operation), address, named)
    }
    case 'eth_signAuthorization': {
      const [address, delegation] = request.params
      assertWallet(address, named)
      return readAuthorization(delegation, address, named)
    }
    case 'export':
    case 'set-recovery':
      assertWallet(request.params[0], named)
      return readAction(request)
    case 'delete-account':
    case 'remove-method':
      return readAction(request)
    case 'import':
      throw new LatchkeyError('not_supported', 'Only the import page approves an import')
    default:
      return request satisfies never
  }
}

function assertWallet(asked: string, { address }: RecordFacts): void {
  if (address !== null && isSameAddress(asked, address)) return
  throw new LatchkeyError('invalid_data', 'The request names another wallet')
}

function readMessage(written: string): Subject {
  const bytes = personalSign.message([written as `0x${string}`, '0x'])
  const message = decodeText(bytes)
  const content: Content =
    message === undefined ? { type: 'bytes', hex: `0x${bytesToHex(bytes)}` } : { type: 'message', message }
  return { digest: toHex(personalSign.digest(bytes)), content }
}

function readTypedData(text: string, wallet: string): Subject {
  const data = parseTypedData(text, { maxBytes: channelLimits.maxSignRequestBytes, address: verifyChecksum })
  return {
    digest: toHex(keccak_256(typedDataBytes(data))),
    content: { type: 'typed-data', tree: toTypedDataTree(data), findings: analyzeTypedData(data, wallet) },
  }
}

/** Returns the checksummed address, or undefined if the given mixed-case checksum is wrong. */
function verifyChecksum(written: string) {
  const digits = written.slice(2)
  const expected = withChecksum(written)
  const hasNoChecksum = digits === digits.toLowerCase() || digits === digits.toUpperCase()
  return hasNoChecksum || expected === written ? expected : undefined
}

function readTransaction(bytes: Uint8Array, { chain, token }: RecordFacts): Subject {
  const { mostFee, ...call } = readUnsigned(bytes)
  return {
    digest: toHex(keccak_256(bytes)),
    content: { type: 'transaction', mostFee, ...readCall(call, chain, token) },
  }
}

async function readSolanaTransaction(
  bytes: Uint8Array,
  wallet: string,
  { lookups }: RecordFacts,
): Promise<Subject> {
  const transaction = parseSolanaTransaction(bytes, base58.encode)
  return {
    digest: await sha256(encodeSolanaTransaction(bytes)),
    content: {
      type: 'solana-transaction',
      wallet,
      meaning: analyzeSolanaTransaction(transaction, wallet, lookups),
    },
  }
}

function readOperation(operation: UserOperation, sender: string, { chain, tokens }: RecordFacts): Subject {
  const chainId = BigInt(operation.chainId)
  const calls = operation.calls.map(({ to, value, data }) => {
    const token = tokens.find(({ address }) => isSameAddress(address, to)) ?? null
    return readCall({ chainId, to, value: BigInt(value), data }, chain, token)
  })
  return {
    digest: toHex(keccak_256(userOperationBytes(operation, sender))),
    content: { type: 'operation', calls, authorizes: operation.authorizationNonce !== null },
  }
}

function readAuthorization(text: string, wallet: string, { chain }: RecordFacts): Subject {
  const delegation = readDelegation(text)
  const { chainId, delegate, fees } = delegation
  return {
    digest: toHex(keccak_256(delegationBytes(delegation, wallet))),
    content: {
      type: 'delegation',
      chainId: BigInt(chainId),
      chain: chain ?? undefined,
      contract: delegate === noDelegate ? null : withChecksum(delegate),
      mostFee: fees === null ? 0n : BigInt(fees.gas) * BigInt(fees.maxFee),
    },
  }
}

type RawCall = { chainId: bigint; to: string | null; value: bigint; data: string }

function readCall(
  { to: addressed, data, ...read }: RawCall,
  chain: RecordFacts['chain'],
  token: RecordFacts['token'],
): Call {
  const to = addressed === null ? null : withChecksum(addressed)
  const action = parseAction(to, data, read.value, token)
  return { ...read, chain: chain ?? undefined, to, action, isUnlisted: token === null && 'token' in action }
}

function parseAction(to: string | null, data: string, value: bigint, listed: RecordFacts['token']): Action {
  if (to === null) return { kind: 'contract-creation', data }
  if (data === '0x') return { kind: 'native-transfer' }
  const unknown: Action = { kind: 'unknown', data }
  // No known token call is payable, so a call with a value has another meaning.
  if (value !== 0n) return unknown
  const token = { address: to, symbol: listed?.symbol ?? undefined, decimals: listed?.decimals ?? 0 }
  return parseTokenAction(token, data, withChecksum) ?? unknown
}

type PageAction = Exclude<AccountAction, { method: 'import' }>

async function readAction(action: PageAction): Promise<Subject> {
  return {
    digest: await sha256(new TextEncoder().encode(toAccountActionText(action))),
    content: { type: 'action', action: toShownAction(action) },
  }
}

function toShownAction(action: PageAction): ShownAction {
  switch (action.method) {
    case 'remove-method':
      return `remove-${action.params[0]}`
    case 'set-recovery':
      return `recovery-${action.params[1]}`
    default:
      return action.method
  }
}

const sha256 = async (bytes: Uint8Array) =>
  toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', Uint8Array.from(bytes))))

const toHex = (bytes: Uint8Array) => `0x${bytesToHex(bytes)}`
