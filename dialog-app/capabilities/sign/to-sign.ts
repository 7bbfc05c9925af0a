/**
 * Reads a request before it is shown: the content of its screen, its signer, and whether it must be blocked.
 */
import { type AnalyticsEventName, type ChainType, LatchkeyError, type SignUi } from '@latchkey/protocol'
import {
  findPersonalSignInDomains,
  findSignInDomains,
  isSignInFor,
  type TreeNode,
  toTypedDataTree,
} from '@latchkey/protocol/reading'
import {
  type SignableRequest,
  type SolanaSignInFields,
  solanaTransactionMethod,
  type TypedData,
  type WalletRpcRequest,
} from '@latchkey/protocol/wallet'
import type { ApprovalKind } from '../../approval/approval-kind.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import { currentChain } from '../../host/chains.ts'
import type { Relayed } from '../../host/host-calls.ts'
import type { Settings } from '../../host/settings.ts'
import type { ConfirmedRequest } from '../../wallet/confirmed.ts'
import type { VerifiedOptions } from '../../wallet/verification.ts'
import type { Wallet } from '../../wallet/wallet.ts'
import type { DescribeTransaction } from './lazy/solana-transaction.ts'
import { type Signer, signers } from './signer.ts'

export type SignRequest = {
  ui?: SignUi
  /** The window that the host page opened for the request. */
  window?: string | undefined
  relayed?: Relayed | undefined
} & (
  | { kind: 'message'; message: string; chain: ChainType }
  /** The wallet frame writes the same message from the fields. */
  | { kind: 'solana-sign-in'; message: string; fields: SolanaSignInFields }
  /** Bytes that are not valid text, for an Ethereum wallet. */
  | { kind: 'bytes'; hex: string }
  /** The typed data is JSON. */
  | { kind: 'typed-data'; data: string }
  /** The transaction is hex. */
  | { kind: 'solana-transaction'; transaction: string }
)
/** `signature` is the signed transaction for a Solana transaction. */
export type Signed = { signature: string; address: string }

export type ShownContent =
  | { kind: 'message'; message: string }
  /** Bytes that are not valid text. They may be the hash of any data. */
  | { kind: 'bytes'; hex: string }
  | {
      kind: 'typed-data'
      tree: readonly TreeNode[]
      data: TypedData
      /** The text that the copy button copies. */
      json: string
    }
  | { kind: 'solana-transaction'; describe: DescribeTransaction }

/** The reason that a request cannot be approved. */
export type Blocked = { kind: 'sign-in'; domain: string } | { kind: 'chain'; asked: string; current: number }

type ConfirmedAsker = VerifiedOptions & { confirmation: ConfirmedRequest }

export type ToSign = {
  approval: ApprovalKind | 'page'
  content: ShownContent
  blocked?: Blocked
  signer: Signer
  /** The request names the wallet of this address. */
  request: (address: string) => SignableRequest
  sign: (wallet: Wallet, address: string, asker: ConfirmedAsker) => Promise<string>
  started: AnalyticsEventName
  completed: AnalyticsEventName
}

type Ports = Pick<CapabilityPorts, 'settings' | 'load'>

export function readRequest(ports: Ports, request: SignRequest): ToSign | Promise<ToSign> {
  switch (request.kind) {
    case 'message':
      return readMessage(ports, request, signers[request.chain])
    case 'solana-sign-in': {
      const { message, fields, ...options } = request
      return {
        ...readMessage(ports, { ...options, kind: 'message', message, chain: 'solana' }, signers.solana),
        sign: async (wallet, address, asker) => (await wallet.solana()).signIn(address, fields, asker),
      }
    }
    case 'bytes':
      return readBytes(ports, request)
    case 'typed-data':
      return readTyped(ports, request)
    case 'solana-transaction':
      return readSolanaTransaction(ports, request)
    default:
      return request satisfies never
  }
}

function readBytes({ settings }: Ports, { hex, relayed }: Bytes): ToSign {
  const request = (address: string): WalletRpcRequest => ({
    method: 'personal_sign',
    params: [hex, address],
  })
  return {
    ...judgeSignIn(findPersonalSignInDomains(hex), settings(), relayed),
    content: { kind: 'bytes', hex },
    signer: signers.ethereum,
    request,
    sign: (wallet, address, asker) => wallet.sign(address, request(address), asker),
    started: 'embedded_wallet_sign_message_started',
    completed: 'embedded_wallet_sign_message_completed',
  }
}

type Message = Extract<SignRequest, { kind: 'message' }>
type Bytes = Extract<SignRequest, { kind: 'bytes' }>
type Typed = Extract<SignRequest, { kind: 'typed-data' }>

function readMessage({ settings }: Ports, { message, relayed }: Message, signer: Signer): ToSign {
  return {
    ...judgeSignIn(findSignInDomains(message), settings(), relayed),
    content: { kind: 'message', message },
    signer,
    request: (address) => signer.messageRequest(address, message),
    sign: (wallet, address, asker) => signer.signMessage(wallet, address, message, asker),
    started: 'embedded_wallet_sign_message_started',
    completed: 'embedded_wallet_sign_message_completed',
  }
}

/**
 * Blocks a message that logs its signer in at another site than the page that requests it. If the browser does not name
 * that page, the wallet signs such a message only after an approval on the wallet page.
 */
function judgeSignIn(
  domains: readonly string[],
  { hostOrigin, isHostUnnamed = false }: Settings,
  relayed: Relayed | undefined,
): Pick<ToSign, 'approval' | 'blocked'> {
  const origin = relayed?.requester.url ?? hostOrigin
  const domain = domains.find((each) => origin === null || !isSignInFor(each, [origin]))
  return {
    approval: isHostUnnamed && domains.length > 0 ? 'page' : 'message',
    ...(domain !== undefined && { blocked: { kind: 'sign-in', domain } }),
  }
}

async function readTyped({ settings, load }: Ports, { data: text, relayed }: Typed): Promise<ToSign> {
  const { readTypedData } = await load(() => import('./typed-data/lazy/read.ts'))
  const { data, json, digest } = readTypedData(text)
  const chainId = data.domain.chainId
  // Each request of a dapp names its chain.
  const current = relayed?.chainId ?? currentChain(settings())
  const request = (address: string): WalletRpcRequest => ({
    method: 'eth_signTypedData_v4',
    params: [address, json, digest],
  })
  const isElsewhere = chainId !== undefined && chainId !== String(current)
  return {
    approval: 'typed-data',
    content: typedContent(data),
    ...(isElsewhere && { blocked: { kind: 'chain', asked: String(chainId), current } }),
    signer: signers.ethereum,
    request,
    sign: (wallet, address, asker) => wallet.sign(address, request(address), asker),
    started: 'embedded_wallet_sign_typed_data_started',
    completed: 'embedded_wallet_sign_typed_data_completed',
  }
}

async function readSolanaTransaction(
  { load }: Ports,
  { transaction: text }: Extract<SignRequest, { kind: 'solana-transaction' }>,
): Promise<ToSign> {
  const { readTransaction } = await load(() => import('./lazy/solana-transaction.ts'))
  const { transaction, describe } = readTransaction(text)
  return {
    approval: 'transaction',
    content: { kind: 'solana-transaction', describe },
    signer: signers.solana,
    request: (address) => ({ method: solanaTransactionMethod, params: [transaction, address] }),
    sign: async (wallet, address, asker) =>
      (await wallet.solana()).signTransaction(address, transaction, asker),
    started: 'embedded_wallet_sign_message_started',
    completed: 'embedded_wallet_sign_message_completed',
  }
}

export const typedContent = (data: TypedData): ShownContent => ({
  kind: 'typed-data',
  tree: toTypedDataTree(data),
  data,
  json: JSON.stringify(data, null, 2),
})

export function blockedError(blocked: Blocked): LatchkeyError {
  switch (blocked.kind) {
    case 'sign-in':
      return new LatchkeyError(
        'invalid_message',
        'The message logs its signer in at another site than this',
        {
          details: { domain: blocked.domain },
        },
      )
    case 'chain':
      return new LatchkeyError(
        'unsupported_chain_id',
        'The typed data is for another chain than the wallet is on',
        {
          details: { chainId: blocked.asked, current: blocked.current },
        },
      )
    default:
      return blocked satisfies never
  }
}
