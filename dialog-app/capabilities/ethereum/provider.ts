/**
 * The dialog's side of the provider (EIP-1193). Wallet methods run the same flows as other host calls. All other
 * listed methods are forwarded to an RPC node of the current chain.
 */
import { LatchkeyError, product } from '@latchkey/protocol'
import { parse } from '@latchkey/protocol/channel'
import {
  type EthereumAnswer,
  type EthereumMethod,
  ethereumCalls,
  type ethereumMethods,
  getEthereumMethod,
  type ParamsOf,
  parseParams,
  type RpcTransaction,
} from '@latchkey/protocol/host'
import { delegatedCode } from '@latchkey/protocol/wallet'
import { asHex } from '../../browser/hex.ts'
import { dialogVersion } from '../../browser/version.ts'
import { createRpc, type Fetch, quantity, RpcRefused, toQuantity } from '../../chains/rpc.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import { currentChain, usableChains } from '../../host/chains.ts'
import type { HostCallContext, ServedHostCalls } from '../../host/host-calls.ts'
import { type Accounts, createAccounts, createLinkedAccounts } from './accounts.ts'
import { transactionOf } from './rpc-transaction.ts'
import { announcedAs, confirmPageOf } from './told-to-page.ts'

type Rows = typeof ethereumMethods
type WalletMethod = {
  [Name in EthereumMethod]: Rows[Name]['by'] extends 'wallet' ? Name : never
}[EthereumMethod]
type Answering = {
  [Name in WalletMethod]: (params: ParamsOf<Name>, caller: Caller) => unknown
}

/** A request for the embedded wallet, or for the linked wallet at the address `wallet`. */
type Caller = HostCallContext & { wallet?: string | undefined }

/** An error with a code of https://eips.ethereum.org/EIPS/eip-1193 or EIP-3085. */
class ProviderRefusal extends Error {
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}
const notThisAccount = () => new ProviderRefusal(4100, 'The page may use no such account')
const notAsked = (message: string) => new ProviderRefusal(4901, message)
/**
 * Not 4902: libraries respond to that by adding the chain, and report its failure as a user rejection. Only the
 * operator configures chains.
 */
const unknownChain = (id: number) => notAsked(`Unsupported chain: ${id}`)
const otherChain = (asked: number, current: number) =>
  notAsked(`The wallet is on chain ${current}, and not on ${asked}`)

export function createProvider(
  ports: CapabilityPorts,
  moveTo: (chainId: number) => void,
  fetch: Fetch = (...call) => globalThis.fetch(...call),
): ServedHostCalls<keyof typeof ethereumCalls> {
  const { settings, callByName, tellPage, clock } = ports
  const own = createAccounts(ports)
  const getAccounts = ({ wallet }: Caller): Accounts =>
    wallet === undefined ? own : createLinkedAccounts(ports, wallet)
  const accounts: { [Way in keyof Accounts]: (caller: Caller) => ReturnType<Accounts[Way]> } = {
    list: (caller) => getAccounts(caller).list(caller),
    request: (caller) => getAccounts(caller).request(caller),
  }
  const addressOption = ({ wallet }: Caller) => (wallet === undefined ? {} : { address: wallet })
  const chainNow = () => currentChain(settings())
  /** Returns the chain of the request. Dapps connected by WalletConnect name it in each request. */
  const getChainId = ({ relayed }: Caller) => relayed?.chainId ?? chainNow()

  async function requireAccount(address: string, caller: Caller) {
    const [own] = await accounts.list(caller)
    if (own?.toLowerCase() !== address.toLowerCase()) throw notThisAccount()
  }
  async function readTransaction(given: RpcTransaction, caller: Caller) {
    const { from, chainId } = given
    const [own] = await accounts.list(caller)
    if (!own) throw notThisAccount()
    if (from !== undefined && from.toLowerCase() !== own.toLowerCase()) throw notThisAccount()
    const current = getChainId(caller)
    if (chainId !== undefined && Number(chainId) !== current) throw otherChain(Number(chainId), current)
    return transactionOf(await withLegacyPrice(given, caller), current)
  }

  /** Adds the node's `eth_gasPrice` to a legacy transaction without fees. */
  async function withLegacyPrice(given: RpcTransaction, caller: HostCallContext): Promise<RpcTransaction> {
    const { type, gasPrice, maxFeePerGas, maxPriorityFeePerGas } = given
    const isPriced = [gasPrice, maxFeePerGas, maxPriorityFeePerGas].some((fee) => fee !== undefined)
    if (type !== '0x0' || isPriced) return given
    const price = parse(quantity, await askChain('eth_gasPrice', [], caller), 'server_unreachable')
    return { ...given, gasPrice: toQuantity(price) }
  }

  async function signTypedData(
    [address, given]: ParamsOf<'eth_signTypedData_v4'>,
    caller: Caller,
  ): Promise<string> {
    await requireAccount(address, caller)
    const data = typeof given === 'string' ? given : JSON.stringify(given)
    return (await callByName('signTypedData', { data, ...addressOption(caller) }, caller)).signature
  }

  const answering: Answering = {
    eth_accounts: (_, caller) => accounts.list(caller),
    eth_requestAccounts: (_, caller) => accounts.request(caller),
    eth_chainId: () => toQuantity(BigInt(chainNow())),
    net_version: () => String(chainNow()),
    net_listening: () => true,
    web3_clientVersion: () => `${product.name}/${dialogVersion}`,
    eth_coinbase: async (_, caller) => (await accounts.list(caller))[0] ?? null,
    async wallet_getPermissions(_, caller) {
      const value = await accounts.list(caller)
      if (value.length === 0) return []
      const caveats = [{ type: 'restrictReturnedAccounts', value }]
      return [{ parentCapability: 'eth_accounts', caveats }]
    },
    async personal_ecRecover([message, signature]) {
      const { recoveredAddress } = await ports.load(() => import('./recovered-address.ts'))
      return recoveredAddress(toMessage(message), asHex(signature))
    },
    wallet_switchEthereumChain([{ chainId }]) {
      const id = usableChain(chainId)
      if (id === chainNow()) return null
      moveTo(id)
      tellPage({ name: 'chainChanged', data: { chainId: id } })
      return null
    },
    // Supported chains need no adding. The RPC URLs of the request are ignored in favor of the configured ones.
    wallet_addEthereumChain([{ chainId }]) {
      usableChain(chainId)
      return null
    },
    async personal_sign([message, address], caller) {
      await requireAccount(address, caller)
      return (
        await callByName('signMessage', { message: toMessage(message), ...addressOption(caller) }, caller)
      ).signature
    },
    // Version 3 is version 4 without arrays.
    eth_signTypedData_v3: signTypedData,
    eth_signTypedData_v4: signTypedData,
    async eth_signTransaction([given], caller) {
      if (caller.wallet !== undefined) throw new ProviderRefusal(4200, 'Its app sends what it signs')
      const transaction = await readTransaction(given, caller)
      return (await callByName('signTransaction', { transaction }, caller)).signedTransaction
    },
    async eth_sendTransaction([given], caller) {
      const transaction = await readTransaction(given, caller)
      const sent = await callByName(
        'sendTransaction',
        { transaction, answerWhen: 'sent', ...addressOption(caller) },
        caller,
      )
      return sent.receipt.transactionHash
    },
    async wallet_getCapabilities([address, asked], caller) {
      await requireAccount(address, caller)
      const requestedIds = asked?.map(Number)
      const chains = usableChains(settings()).filter((id) => requestedIds?.includes(id) ?? true)
      return Object.fromEntries(
        await Promise.all(
          chains.map(async (id) => [
            toQuantity(BigInt(id)),
            { atomic: { status: await readAtomicStatus(id, address, caller) } },
          ]),
        ),
      )
    },
    async wallet_sendCalls([request], caller) {
      await requireOwnAccount(caller)
      return orThrown(await callByName('sendBatch', { request }, caller))
    },
    async wallet_getCallsStatus([id], caller) {
      await requireOwnAccount(caller)
      return orThrown(await callByName('batchStatus', { id }, caller))
    },
    async wallet_showCallsStatus([id], caller) {
      await requireOwnAccount(caller)
      return orThrown(await callByName('showBatch', { id }, caller))
    },
  }

  /** Rejects batches for linked wallets, because their apps send one transaction at a time. */
  async function requireOwnAccount(caller: Caller) {
    if (caller.wallet !== undefined)
      throw new ProviderRefusal(4200, 'Its app sends one transaction at a time')
    if ((await accounts.list(caller)).length === 0) throw notThisAccount()
  }

  function usableChain(chainId: string): number {
    const id = Number(chainId)
    if (!usableChains(settings()).includes(id)) throw unknownChain(id)
    return id
  }

  /** https://eips.ethereum.org/EIPS/eip-5792#atomic-capability */
  async function readAtomicStatus(chainId: number, address: string, caller: Caller) {
    if (caller.wallet !== undefined || !settings().app.sponsoredChains.includes(chainId)) return 'unsupported'
    const code = await askChain('eth_getCode', [address, 'latest'], caller, chainId)
    if (code === delegatedCode) return 'supported'
    return code === '0x' ? 'ready' : 'unsupported'
  }

  async function askChain(
    method: string,
    params: readonly unknown[],
    caller: HostCallContext,
    chainId = getChainId(caller),
  ) {
    const { signal } = caller
    const urls = settings().app.rpcUrls[String(chainId)]
    if (!urls) throw notAsked(`Unsupported chain: ${chainId}`)
    try {
      return await createRpc(urls, { clock, fetch }).ask(method, params, signal)
    } catch (error) {
      if (error instanceof LatchkeyError && error.code === 'server_unreachable') throw notAsked(error.message)
      throw error
    }
  }

  async function answer(
    { method, params: given }: { method: string; params: readonly unknown[] },
    policy: 'headless' | 'needs-user',
    caller: Caller,
  ): Promise<EthereumAnswer> {
    const params = parseParams(method, given)
    // Methods that wait for the user must use the call without a deadline, and other methods the call with one.
    if (getEthereumMethod(method)?.policy !== policy) {
      throw new LatchkeyError('method_not_found', `${method} comes by the other call`)
    }
    try {
      if (!isWalletMethod(method)) return { result: await askChain(method, params, caller) }
      return { result: await answering[method](params as never, caller) }
    } catch (error) {
      return { refused: toRefusal(error) }
    }
  }
  /** Rejects if the user has not linked this wallet, or if it cannot sign. */
  async function stateOfLinked(wallet: string, isAnnounced: boolean, caller: HostCallContext) {
    const { name, iconUrl, appId } = await ports.connectedWallets.find(wallet, caller)
    const announced = { name, ...(iconUrl !== null && { icon: iconUrl }) }
    const linked = { address: asHex(wallet), appId, isAnnounced }
    return { chainId: chainNow(), accounts: [asHex(wallet)], announced, linked }
  }
  const isWalletMethod = (method: string): method is WalletMethod => Object.hasOwn(answering, method)

  return {
    rows: ethereumCalls,
    handlers: {
      async ethereumState({ announce, wallet }, caller) {
        if (wallet !== undefined) return stateOfLinked(wallet, announce === true, caller)
        const list = [...(await accounts.list(caller))]
        const state = { chainId: chainNow(), accounts: list, ...confirmPageOf(settings()) }
        return announce ? { ...state, announced: announcedAs(settings()) } : state
      },
      ethereumRequest: ({ wallet, ...request }, caller) => answer(request, 'headless', { ...caller, wallet }),
      async ethereumRead({ wallet, ...request }, caller) {
        if (getEthereumMethod(request.method)?.by !== 'chain') {
          throw new LatchkeyError('method_not_found', `${request.method} comes by another call`)
        }
        return answer(request, 'headless', { ...caller, wallet })
      },
      ethereumRequestForUser: ({ wallet, ...request }, caller) =>
        answer(request, 'needs-user', { ...caller, wallet }),
    },
  }
}

function orThrown<T>(answer: { result: T } | { refused: { code: number; message: string } }): T {
  if ('result' in answer) return answer.result
  throw new ProviderRefusal(answer.refused.code, answer.refused.message)
}

/** Returns an error of the provider or the RPC node. Rethrows all others, which cross with our error codes. */
function toRefusal(error: unknown): NonNullable<Extract<EthereumAnswer, { refused: unknown }>['refused']> {
  if (error instanceof ProviderRefusal) return { code: error.code, message: error.message }
  if (error instanceof RpcRefused) {
    const { code, message, data } = error
    return { code, message, ...(data !== undefined && { data }) }
  }
  throw error
}

/** Libraries pass the message of `personal_sign` as hex bytes or as plain text. */
const bytesInHex = /^0x(?:[0-9a-fA-F]{2})*$/

/** Converts a `personal_sign` message for `signMessage`. */
const toMessage = (message: string): string | { raw: string } =>
  bytesInHex.test(message) ? { raw: message } : message
