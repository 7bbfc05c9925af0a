import * as v from 'valibot'
import { addressReturns } from '../entities/login-methods.ts'
import { LatchkeyError } from '../errors/errors.ts'
import { findPageWalletsMethod, hostPageId, toTakeReturnMethod } from '../host/ask-page.ts'
import type { HostWallet, HostWallets, WalletAnswer } from '../host/dialog-messages.ts'
import type { WalletRequest } from '../host/loader-messages.ts'
import { providerMark } from '../names/product.ts'
import { takeAddressReturn } from './address-return.ts'

/**
 * Wallets that browser extensions put into the host's page, where alone they can be reached. They announce
 * themselves (EIP-6963); an older one is only `window.ethereum` (EIP-1193). The dialog names one by its id, and may
 * have it connect, change its chain, sign a login, and pay an amount to an address.
 */
type Provider = { request(asked: { method: string; params: readonly unknown[] }): Promise<unknown> }
type Found = { wallet: HostWallet; provider: Provider }

const accountMethods: readonly string[] = ['eth_requestAccounts', 'eth_accounts']
const lentMethods: readonly string[] = [
  ...accountMethods,
  'eth_chainId',
  'personal_sign',
  'wallet_switchEthereumChain',
  'wallet_addEthereumChain',
]

/** An amount to an address, and no call of a contract: its user sees both in their wallet. */
const paymentMethod = 'eth_sendTransaction'
const paymentSchema = v.strictTuple([
  v.strictObject({
    from: v.pipe(v.string(), v.regex(/^0x[0-9a-fA-F]{40}$/)),
    to: v.pipe(v.string(), v.regex(/^0x[0-9a-fA-F]{40}$/)),
    value: v.pipe(v.string(), v.regex(/^0x[0-9a-f]{1,64}$/)),
    chainId: v.pipe(v.string(), v.regex(/^0x[0-9a-f]{1,16}$/)),
  }),
])
const isLent = (method: string, params: readonly unknown[]) =>
  lentMethods.includes(method) || (method === paymentMethod && v.is(paymentSchema, params))

const hostWalletLimits = {
  /** Extensions answer within their event, or within a message of theirs. */
  answerMs: 100,
  maxWallets: 32,
  maxNameLength: 100,
  maxIconLength: 6_000,
} as const

/** One of ours, of whatever release and app, is no wallet that somebody brings. */
const ownMark = Symbol.for(providerMark)
const providerSchema = v.custom<Provider>(
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    typeof Reflect.get(value, 'request') === 'function' &&
    !Reflect.has(value, ownMark),
)
const shortText = v.pipe(v.string(), v.minLength(1), v.maxLength(hostWalletLimits.maxNameLength))
/** Of an icon that is none, or is too big, the dialog draws its own. */
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

const announced = new Map<string, Found>()
let listening: Promise<void> | undefined

/** Extensions answer at once, or when their script has come, which is heard too. */
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

function found(): ReadonlyMap<string, Found> {
  const { success, output: provider } = v.safeParse(providerSchema, Reflect.get(globalThis, 'ethereum'))
  const isAnnounced = [...announced.values()].some((other) => other.provider === provider)
  if (!success || isAnnounced) return announced
  const id = 'injected'
  return new Map([...announced, [id, { wallet: { id, name: 'Browser wallet' }, provider }]])
}

/** Wallets that gave these accounts, in small letters: the page may ask them for more than the dialog does. */
const connected = new Map<string, Found>()
export const connectedWallet = (address: string): Found | undefined => connected.get(address.toLowerCase())

function rememberAccounts(entry: Found, method: string, result: unknown) {
  if (!accountMethods.includes(method) || !Array.isArray(result)) return
  for (const address of result) connected.set(String(address).toLowerCase(), entry)
}

export async function findWallets(): Promise<HostWallets> {
  listening ??= listen()
  await listening
  return { wallets: [...found().values()].map(({ wallet }) => wallet) }
}

/** What the wallet refuses is an answer: an error of this file has another class than those of the first. */
export async function askWallet(asked: unknown): Promise<WalletAnswer> {
  const request = v.safeParse(requestSchema, asked)
  if (!request.success) throw new LatchkeyError('invalid_data', 'That is no request to a wallet')
  const { wallet, method, params } = request.output
  if (wallet === hostPageId) {
    return { result: method === findPageWalletsMethod ? await findWallets() : askPage(method, params) }
  }
  if (!isLent(method, params)) {
    throw new LatchkeyError('method_not_found', `A wallet of the page is not asked for ${method}`)
  }
  const entry = found().get(wallet)
  if (!entry) throw new LatchkeyError('generic_connect_wallet_error', 'The page has no such wallet')
  try {
    const result = await entry.provider.request({ method, params })
    rememberAccounts(entry, method, result)
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

/** What the wallet says besides, as far as it can cross to the dialog. */
function plainData(data: unknown): { data?: unknown } {
  try {
    const text = JSON.stringify(data)
    return text === undefined ? {} : { data: JSON.parse(text) }
  } catch {
    return {}
  }
}

const wanted = v.object({ webApp: v.boolean() })

/** What the dialog may ask of the page itself. */
const answers: Readonly<Record<string, (given: unknown) => unknown>> = Object.fromEntries(
  addressReturns.map((each) => [
    toTakeReturnMethod(each.method),
    (given: unknown) => takeAddressReturn(each, v.parse(wanted, given)),
  ]),
)

export function askPage(method: string, [given]: readonly unknown[]): unknown {
  const answer = Object.hasOwn(answers, method) ? answers[method] : undefined
  if (answer) return answer(given)
  throw new LatchkeyError('method_not_found', `The page is not asked for ${method}`)
}
