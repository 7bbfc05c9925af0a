import * as v from 'valibot'
import { addressReturns } from '../entities/login-methods.ts'
import { LatchkeyError } from '../errors/errors.ts'
import {
  findPageWalletsMethod,
  findSolanaWalletsMethod,
  hostPageId,
  toTakeReturnMethod,
} from '../host/ask-page.ts'
import type { HostWallet, HostWallets, WalletAnswer } from '../host/dialog-messages.ts'
import type { WalletRequest } from '../host/loader-messages.ts'
import { providerMark } from '../names/product.ts'
import { takeAddressReturn } from './address-return.ts'
import { findSolanaProvider, findSolanaWallets, solanaMethods } from './solana-wallets.ts'

/**
 * Wallets of browser extensions, which only the host page can reach. They announce themselves (EIP-6963), or are only
 * `window.ethereum` (EIP-1193). The dialog refers to a wallet by its id. It may connect, switch the chain, sign a
 * login, and send a plain payment.
 */
type Provider = { request(asked: { method: string; params: readonly unknown[] }): Promise<unknown> }
type FoundWallet = { wallet: HostWallet; provider: Provider }

const accountMethods: readonly string[] = ['eth_requestAccounts', 'eth_accounts']
const allowedMethods: readonly string[] = [
  ...accountMethods,
  'eth_chainId',
  'personal_sign',
  'wallet_switchEthereumChain',
  'wallet_addEthereumChain',
]

/** A plain payment without contract call. The wallet shows both amount and recipient. */
const paymentMethod = 'eth_sendTransaction'
const paymentSchema = v.strictTuple([
  v.strictObject({
    from: v.pipe(v.string(), v.regex(/^0x[0-9a-fA-F]{40}$/)),
    to: v.pipe(v.string(), v.regex(/^0x[0-9a-fA-F]{40}$/)),
    value: v.pipe(v.string(), v.regex(/^0x[0-9a-f]{1,64}$/)),
    chainId: v.pipe(v.string(), v.regex(/^0x[0-9a-f]{1,16}$/)),
  }),
])
const isAllowed = (method: string, params: readonly unknown[]) =>
  allowedMethods.includes(method) || (method === paymentMethod && v.is(paymentSchema, params))

const hostWalletLimits = {
  /** Extensions answer synchronously or after one message. */
  answerMs: 100,
  maxWallets: 32,
  maxNameLength: 100,
  maxIconLength: 6_000,
} as const

/** Excludes the product's own providers, of any release and app. */
const ownMark = Symbol.for(providerMark)
const providerSchema = v.custom<Provider>(
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    typeof Reflect.get(value, 'request') === 'function' &&
    !Reflect.has(value, ownMark),
)
const shortText = v.pipe(v.string(), v.minLength(1), v.maxLength(hostWalletLimits.maxNameLength))
/** An invalid or oversized icon is dropped; the dialog draws its own. */
const iconSchema = v.fallback(
  v.optional(v.pipe(v.string(), v.startsWith('data:image/'), v.maxLength(hostWalletLimits.maxIconLength))),
  undefined,
)
const announcedSchema = v.object({
  info: v.object({ uuid: shortText, name: shortText, rdns: shortText, icon: iconSchema }),
  provider: providerSchema,
})
const requestSchema = v.object({
  wallet: v.string(),
  method: v.string(),
  params: v.array(v.unknown()),
}) satisfies v.GenericSchema<unknown, WalletRequest>

const announced = new Map<string, FoundWallet>()
let listening: Promise<void> | undefined

/** Listens for announcements and requests them. Extensions that load later are added too. */
function listen(): Promise<void> {
  addEventListener('eip6963:announceProvider', (event) => {
    const { success, output } = v.safeParse(announcedSchema, Reflect.get(event, 'detail'))
    if (!success || announced.size >= hostWalletLimits.maxWallets) return
    const { uuid, name, rdns, icon } = output.info
    const wallet = { id: uuid, name, rdns, ...(icon && { icon }) }
    announced.set(uuid, { wallet, provider: output.provider })
  })
  dispatchEvent(new Event('eip6963:requestProvider'))
  return new Promise((resolve) => setTimeout(resolve, hostWalletLimits.answerMs))
}

function findProviders(): ReadonlyMap<string, FoundWallet> {
  const { success, output: provider } = v.safeParse(providerSchema, Reflect.get(globalThis, 'ethereum'))
  const isAnnounced = [...announced.values()].some((other) => other.provider === provider)
  if (!success || isAnnounced) return announced
  const id = 'injected'
  return new Map([...announced, [id, { wallet: { id, name: 'Browser wallet' }, provider }]])
}

/** Wallets by the lowercase accounts that they returned. The page may send them more requests than the dialog. */
const connected = new Map<string, FoundWallet>()
export const connectedWallet = (address: string): FoundWallet | undefined =>
  connected.get(address.toLowerCase())

function rememberAccounts(entry: FoundWallet, method: string, result: unknown) {
  if (!accountMethods.includes(method) || !Array.isArray(result)) return
  for (const address of result) connected.set(String(address).toLowerCase(), entry)
}

export async function findWallets(): Promise<HostWallets> {
  listening ??= listen()
  await listening
  return { wallets: [...findProviders().values()].map(({ wallet }) => wallet) }
}

/**
 * Runs a wallet request. A rejection by the wallet is an answer, because error classes differ between the loader's
 * files.
 */
export async function askWallet(asked: unknown): Promise<WalletAnswer> {
  const request = v.safeParse(requestSchema, asked)
  if (!request.success) throw new LatchkeyError('invalid_data', 'Not a wallet request')
  const { wallet, method, params } = request.output
  if (wallet === hostPageId) {
    if (method === findSolanaWalletsMethod)
      return { result: { wallets: findSolanaWallets(hostWalletLimits) } }
    return { result: method === findPageWalletsMethod ? await findWallets() : askPage(method, params) }
  }
  const isSolana = solanaMethods.includes(method)
  if (!isSolana && !isAllowed(method, params)) {
    throw new LatchkeyError('method_not_found', `${method} is not allowed for wallets of the page`)
  }
  const entry = isSolana ? undefined : findProviders().get(wallet)
  const provider = isSolana ? findSolanaProvider(wallet) : entry?.provider
  if (!provider) throw new LatchkeyError('generic_connect_wallet_error', 'Unknown wallet of the page')
  try {
    const result = await provider.request({ method, params })
    if (entry) rememberAccounts(entry, method, result)
    return { result }
  } catch (cause) {
    const { code, message, data } = Object(cause)
    return {
      refused: {
        code: typeof code === 'number' ? code : null,
        message: String(message || 'The wallet failed'),
        ...plainData(data),
      },
    }
  }
}

/** Returns the error data if it can be cloned to the dialog. */
function plainData(data: unknown): { data?: unknown } {
  try {
    const text = JSON.stringify(data)
    return text === undefined ? {} : { data: JSON.parse(text) }
  } catch {
    return {}
  }
}

const takeReturnInput = v.object({ webApp: v.boolean() })

/** Requests that the page itself answers. */
const answers: Readonly<Record<string, (given: unknown) => unknown>> = Object.fromEntries(
  addressReturns.map((each) => [
    toTakeReturnMethod(each.method),
    (given: unknown) => takeAddressReturn(each, v.parse(takeReturnInput, given)),
  ]),
)

export function askPage(method: string, [given]: readonly unknown[]): unknown {
  const answer = Object.hasOwn(answers, method) ? answers[method] : undefined
  if (answer) return answer(given)
  throw new LatchkeyError('method_not_found', `The page does not support ${method}`)
}
