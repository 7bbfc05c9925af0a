/** The dialog's side of the EIP-1193 provider: every method that the wallet answers. */
import { LatchkeyError, type TransactionRequest } from '@latchkey/loader'
import {
  type EthereumAnswer,
  type EthereumRequest,
  type HostCallAnswer,
  type IncomingCall,
  readRequest,
} from '@latchkey/loader/fake'
import { recoverMessageAddress } from 'viem'
import type { Hex } from './accounts.ts'
import type { Chain } from './chain.ts'
import type { Session } from './session.ts'
import type { ProviderRequest } from './types.ts'

/** The signing wallet: the user's, or another app's by address. */
type Signer = { address?: Hex }

/** Flows that other calls use too, with the same prompt. */
export type Flows = {
  logIn(asked: IncomingCall): Promise<unknown>
  signMessage(message: unknown, signer: Signer, asked: IncomingCall): Promise<{ signature: Hex }>
  signTypedData(json: string, signer: Signer, asked: IncomingCall): Promise<{ signature: Hex }>
  signTransaction(transaction: TransactionRequest, asked: IncomingCall): Promise<{ signed: Hex }>
  sendTransaction(
    transaction: TransactionRequest,
    signer: Signer,
    asked: IncomingCall,
  ): Promise<{ hash: Hex }>
  sendBatch(request: BatchRequest, asked: IncomingCall): Promise<BatchAnswer>
  batchStatus(id: string): BatchStatus
}
export type BatchRequest = Extract<EthereumRequest, { method: 'wallet_sendCalls' }>['params'][0]
export type BatchAnswer = HostCallAnswer<'sendBatch'>
export type BatchStatus = HostCallAnswer<'batchStatus'>

type Ports = {
  chain: Chain
  session: Session
  flows: Flows
  moveTo: (chainId: number) => void
  linkedWallets: () => readonly string[]
}

/** A refusal with a code of EIP-1193 or JSON-RPC, returned to the page as it is. */
class Refusal extends Error {
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}
const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()
const quantity = (value: number) => `0x${value.toString(16)}`
const bytesInHex = /^0x(?:[0-9a-fA-F]{2})*$/
const toMessage = (message: string) => (bytesInHex.test(message) ? { raw: message } : message)

type Given = ProviderRequest & { wallet?: string }

export function createEthereum({ chain, session, flows, moveTo, linkedWallets }: Ports) {
  function accounts(wallet: string | undefined): readonly Hex[] {
    if (wallet !== undefined)
      return linkedWallets()
        .filter((each) => isSame(each, wallet))
        .map(hex)
    const own = session.wallet('ethereum')
    return own ? [hex(own.address)] : []
  }
  function requireAccount(address: string, wallet: string | undefined) {
    const [own] = accounts(wallet)
    if (own === undefined || !isSame(own, address))
      throw new Refusal(4100, 'The page may use no such account')
  }
  function usable(chainId: string): number {
    const id = Number(chainId)
    if (!chain.has(id)) throw new Refusal(4901, `Unsupported chain: ${id}`)
    return id
  }
  type Rpc = Extract<EthereumRequest, { method: 'eth_sendTransaction' }>['params'][0]
  function toTransaction(
    { from, input, gas, type, to, accessList, ...given }: Rpc,
    wallet: string | undefined,
  ) {
    const [own] = accounts(wallet)
    if (own === undefined) throw new Refusal(4100, 'The page may use no such account')
    if (from !== undefined) requireAccount(from, wallet)
    const current = chain.current()
    if (given.chainId !== undefined && Number(given.chainId) !== current)
      throw new Refusal(4901, `The wallet is on chain ${current}, and not on ${Number(given.chainId)}`)
    const data = given.data ?? input
    const gasLimit = given.gasLimit ?? gas
    return {
      ...given,
      chainId: current,
      ...(to != null && { to }),
      ...(data !== undefined && { data }),
      ...(gasLimit !== undefined && { gasLimit }),
    }
  }

  async function run(
    request: EthereumRequest,
    wallet: string | undefined,
    asked: IncomingCall,
  ): Promise<unknown> {
    const signer: Signer = wallet === undefined ? {} : { address: hex(wallet) }
    switch (request.method) {
      case 'eth_accounts':
        return accounts(wallet)
      case 'eth_requestAccounts': {
        if (session.user() === null) await flows.logIn(asked)
        const [first] = accounts(wallet)
        if (first !== undefined) return [first]
        throw new LatchkeyError(
          'embedded_wallet_not_found',
          'The user has no wallet, and this app makes none',
        )
      }
      case 'eth_chainId':
        return quantity(chain.current())
      case 'net_version':
        return String(chain.current())
      case 'net_listening':
        return true
      case 'web3_clientVersion':
        return 'Latchkey/mock'
      case 'eth_coinbase':
        return accounts(wallet)[0] ?? null
      case 'wallet_getPermissions': {
        const value = accounts(wallet)
        if (value.length === 0) return []
        return [{ parentCapability: 'eth_accounts', caveats: [{ type: 'restrictReturnedAccounts', value }] }]
      }
      case 'personal_ecRecover': {
        const [message, signature] = request.params
        const read = toMessage(message)
        return recoverMessageAddress({
          message: typeof read === 'string' ? read : { raw: hex(read.raw) },
          signature: hex(signature),
        })
      }
      case 'wallet_switchEthereumChain':
        moveTo(usable(request.params[0].chainId))
        return null
      case 'wallet_addEthereumChain':
        usable(request.params[0].chainId)
        return null
      case 'personal_sign': {
        const [message, address] = request.params
        requireAccount(address, wallet)
        return (await flows.signMessage(toMessage(message), signer, asked)).signature
      }
      case 'eth_signTypedData_v3':
      case 'eth_signTypedData_v4': {
        const [address, data] = request.params
        requireAccount(address, wallet)
        const json = typeof data === 'string' ? data : JSON.stringify(data)
        return (await flows.signTypedData(json, signer, asked)).signature
      }
      case 'eth_signTransaction': {
        if (wallet !== undefined) throw new Refusal(4200, 'Its app sends what it signs')
        return (await flows.signTransaction(toTransaction(request.params[0], wallet), asked)).signed
      }
      case 'eth_sendTransaction':
        return (await flows.sendTransaction(toTransaction(request.params[0], wallet), signer, asked)).hash
      case 'wallet_getCapabilities': {
        const [address, wanted] = request.params
        requireAccount(address, wallet)
        const ids = chain.ids.filter((id) => wanted?.map(Number).includes(id) ?? true)
        return Object.fromEntries(ids.map((id) => [quantity(id), { atomic: { status: 'unsupported' } }]))
      }
      case 'wallet_sendCalls':
        requireOwn(wallet)
        return unwrapResult(await flows.sendBatch(request.params[0], asked))
      case 'wallet_getCallsStatus':
        requireOwn(wallet)
        return unwrapResult(flows.batchStatus(request.params[0]))
      case 'wallet_showCallsStatus':
        requireOwn(wallet)
        unwrapResult(flows.batchStatus(request.params[0]))
        return null
      case 'chain': {
        const { asked: method, params } = request
        const answer = await chain.read({ chainId: chain.current(), method, params })
        if (answer !== undefined) return answer
        throw new Refusal(
          -32_000,
          `The mock does not answer ${method}: answer it with mockLatchkey({ chain })`,
        )
      }
      default:
        return request satisfies never
    }
  }
  function requireOwn(wallet: string | undefined) {
    if (wallet !== undefined) throw new Refusal(4200, 'Its app sends one transaction at a time')
    if (accounts(undefined).length === 0) throw new Refusal(4100, 'The page may use no such account')
  }

  return {
    accounts,
    async answer({ wallet, ...given }: Given, asked: IncomingCall): Promise<EthereumAnswer> {
      const request = readRequest(given)
      try {
        return { result: await run(request, wallet, asked) }
      } catch (error) {
        if (error instanceof Refusal) return { refused: { code: error.code, message: error.message } }
        throw error
      }
    },
  }
}

const hex = (text: string): Hex => `0x${text.slice(2)}`

function unwrapResult(answer: BatchAnswer | BatchStatus): unknown {
  if ('result' in answer) return answer.result
  throw new Refusal(answer.refused.code, answer.refused.message)
}
