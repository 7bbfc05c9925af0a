/**
 * What the page shows of a request, read anew from what the server has under its handle, to the letter and by the code
 * that signs it. The digest is made of what is shown, and of nothing else.
 */
import { channelLimits, isSameAddress, LatchkeyError } from '@latchkey/protocol'
import type { ConfirmationToDecide } from '@latchkey/protocol/api'
import {
  type Action,
  type Finding,
  findingsIn,
  type TreeNode,
  tokenAction,
  treeOf,
} from '@latchkey/protocol/reading'
import {
  type AccountAction,
  accountActionText,
  type ConfirmableRequest,
  decodeText,
  parseTypedData,
} from '@latchkey/protocol/wallet'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { withChecksum } from '../vault/keys/checksum.ts'
import { personalSign } from '../vault/signing/personal-sign.ts'
import { utf8 } from '../vault/signing/text.ts'
import { readUnsigned } from '../vault/signing/transaction.ts'
import { typedDataBytes } from '../vault/signing/typed-data.ts'

export type Chain = NonNullable<ConfirmationToDecide['chain']>

export type Content =
  | { kind: 'message'; message: string }
  /** Bytes that are no text may be the hash of anything. */
  | { kind: 'bytes'; hex: string }
  | {
      kind: 'typed-data'
      tree: readonly TreeNode[]
      findings: readonly Finding[]
    }
  | {
      kind: 'transaction'
      chainId: bigint
      /** Undefined if no list names the chain: then amounts are in its smallest units. */
      chain: Chain | undefined
      to: string | null
      value: bigint
      mostFee: bigint
      action: Action
      /** The token is in no list: its amounts are in its smallest units, or numbers of single things. */
      isUnlisted: boolean
    }
  | { kind: 'action'; action: ShownAction }

type Of<Method extends AccountAction['method']> = Extract<AccountAction, { method: Method }>['params']
export type ShownAction =
  | Exclude<AccountAction['method'], 'import' | 'remove-method' | 'set-recovery'>
  | `remove-${Of<'remove-method'>[0]}`
  | `recovery-${Of<'set-recovery'>[1]}`

export type Subject = { digest: string; content: Content }
type Named = Pick<ConfirmationToDecide, 'address' | 'chain' | 'token'>

/** Throws for what can not be read to the letter. */
export async function readSubject(request: ConfirmableRequest, named: Named): Promise<Subject> {
  switch (request.method) {
    case 'personal_sign': {
      const [message, address] = request.params
      assertWallet(address, named)
      return readMessage(message)
    }
    case 'signMessage': {
      const [message, publicKey] = request.params
      assertWallet(publicKey, named)
      return { digest: await sha256(utf8(message)), content: { kind: 'message', message } }
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

function assertWallet(asked: string, { address }: Named): void {
  if (address !== null && isSameAddress(asked, address)) return
  throw new LatchkeyError('invalid_data', 'The request names another wallet')
}

function readMessage(written: string): Subject {
  const bytes = personalSign.message([written as `0x${string}`, '0x'])
  const message = decodeText(bytes)
  const content: Content =
    message === undefined ? { kind: 'bytes', hex: `0x${bytesToHex(bytes)}` } : { kind: 'message', message }
  return { digest: hexOf(personalSign.digest(bytes)), content }
}

function readTypedData(text: string, wallet: string): Subject {
  const data = parseTypedData(text, { maxBytes: channelLimits.maxSignRequestBytes, address: checksummed })
  return {
    digest: hexOf(keccak_256(typedDataBytes(data))),
    content: { kind: 'typed-data', tree: treeOf(data), findings: findingsIn(data, wallet) },
  }
}

/** Gives undefined if the checksum in the letters does not match. */
function checksummed(written: string) {
  const digits = written.slice(2)
  const right = withChecksum(written)
  const saysNothing = digits === digits.toLowerCase() || digits === digits.toUpperCase()
  return saysNothing || right === written ? right : undefined
}

function readTransaction(bytes: Uint8Array, { chain, token }: Named): Subject {
  const { to: addressed, data, ...read } = readUnsigned(bytes)
  const to = addressed === null ? null : withChecksum(addressed)
  const action = actionOf(to, data, read.value, token)
  const isUnlisted = token === null && 'token' in action
  return {
    digest: hexOf(keccak_256(bytes)),
    content: { kind: 'transaction', ...read, chain: chain ?? undefined, to, action, isUnlisted },
  }
}

function actionOf(to: string | null, data: string, value: bigint, listed: Named['token']): Action {
  if (to === null) return { kind: 'contract-creation', data }
  if (data === '0x') return { kind: 'native-transfer' }
  const unknown: Action = { kind: 'unknown', data }
  // Nothing that tokens do takes money along: whoever sends some means something else.
  if (value !== 0n) return unknown
  const token = { address: to, symbol: listed?.symbol ?? undefined, decimals: listed?.decimals ?? 0 }
  return tokenAction(token, data, withChecksum) ?? unknown
}

type PageAction = Exclude<AccountAction, { method: 'import' }>

async function readAction(action: PageAction): Promise<Subject> {
  return {
    digest: await sha256(new TextEncoder().encode(accountActionText(action))),
    content: { kind: 'action', action: shownAs(action) },
  }
}

function shownAs(action: PageAction): ShownAction {
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
  hexOf(new Uint8Array(await crypto.subtle.digest('SHA-256', Uint8Array.from(bytes))))

const hexOf = (bytes: Uint8Array) => `0x${bytesToHex(bytes)}`
