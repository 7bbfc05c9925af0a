/**
 * Solana wallets of browser extensions, which only the host page can reach. They register by the Wallet Standard. The
 * dialog sends them the same kind of requests as other wallets, with two methods: to connect, and to sign a login.
 * https://github.com/wallet-standard/wallet-standard
 */
import * as v from 'valibot'
import { solanaConnectMethod, solanaSignInMethod } from '../host/ask-page.ts'
import type { HostWallet } from '../host/dialog-messages.ts'
import { providerMark } from '../names/product.ts'

type Account = { address: string }
type SignedMessage = { signedMessage: Uint8Array; signature: Uint8Array }
type Features = {
  'standard:connect': { connect: () => Promise<{ accounts: Account[] }> }
  'solana:signIn'?: {
    signIn: (input: object) => Promise<(SignedMessage & { account: Account })[]>
  }
  'solana:signMessage'?: {
    signMessage: (input: { account: Account; message: Uint8Array }) => Promise<SignedMessage[]>
  }
}
type StandardWallet = { name: string; icon: string; accounts: Account[]; features: Features }
type Provider = { request(asked: { method: string; params: unknown[] }): Promise<unknown> }

export const solanaMethods: string[] = [solanaConnectMethod, solanaSignInMethod]

const mainnet = 'solana:mainnet'
/** Excludes the product's own wallets, of any release and app. */
const ownMark = Symbol.for(providerMark)
const canLogIn = (value: unknown): value is StandardWallet => {
  const { name, chains, features } = Object(value)
  return (
    typeof name === 'string' &&
    name !== '' &&
    Array.isArray(chains) &&
    chains.includes(mainnet) &&
    Object(features)['standard:connect'] !== undefined &&
    ['solana:signIn', 'solana:signMessage'].some((feature) => Object(features)[feature] !== undefined) &&
    !Reflect.has(Object(value), ownMark)
  )
}

const registered = new Map<StandardWallet, string>()
let isListening = false

/** Registers the wallets that are present. Extensions that load later register themselves. */
function listen(maxWallets: number): void {
  if (isListening) return
  isListening = true
  const register = (...wallets: unknown[]) => {
    for (const wallet of wallets) {
      if (canLogIn(wallet) && !registered.has(wallet) && registered.size < maxWallets)
        registered.set(wallet, `solana:${registered.size + 1}`)
    }
    return () => {}
  }
  const api = Object.freeze({ register })
  addEventListener('wallet-standard:register-wallet', (event) => {
    const callback: unknown = Reflect.get(event, 'detail')
    if (typeof callback === 'function') callback(api)
  })
  dispatchEvent(Object.assign(new Event('wallet-standard:app-ready'), { detail: api }))
}

type Limits = { maxWallets: number; maxNameLength: number; maxIconLength: number }

export function findSolanaWallets({ maxWallets, maxNameLength, maxIconLength }: Limits): HostWallet[] {
  listen(maxWallets)
  return [...registered].map(([{ name, icon }, id]) => {
    const isDrawable =
      typeof icon === 'string' && icon.startsWith('data:image/') && icon.length <= maxIconLength
    return { id, name: name.slice(0, maxNameLength), ...(isDrawable && { icon }) }
  })
}

/** Returns the provider of a wallet that was found. */
export function findSolanaProvider(id: string): Provider | undefined {
  const [wallet] = [...registered].find(([, other]) => other === id) ?? []
  return wallet && { request: ({ method, params }) => ask(wallet, method, params) }
}

const signInParams = v.strictTuple([
  v.object({ address: v.string(), text: v.string(), fields: v.record(v.string(), v.string()) }),
])

async function ask(wallet: StandardWallet, method: string, params: unknown[]): Promise<unknown> {
  try {
    if (method === solanaSignInMethod) {
      const [signIn] = v.parse(signInParams, params)
      return await signLogin(wallet, signIn)
    }
    const { accounts } = await wallet.features['standard:connect'].connect()
    return accounts.map(({ address }) => address)
  } catch (cause) {
    throw withCode(cause)
  }
}

/** Signs the login by `solana:signIn`, with a text by the wallet, or else by `solana:signMessage`. */
async function signLogin(
  { features, accounts }: StandardWallet,
  { address, text, fields }: v.InferOutput<typeof signInParams>[0],
): Promise<{ message: string; signature: string }> {
  const signIn = features['solana:signIn']
  if (signIn) {
    const [output] = await signIn.signIn({ ...fields, address })
    if (output?.account.address === address) return toText(output)
    throw new Error('The wallet signed in with another account')
  }
  const account = accounts.find((each) => each.address === address)
  if (!account) throw new Error('The account is not connected')
  const message = new TextEncoder().encode(text)
  const [output] = (await features['solana:signMessage']?.signMessage({ account, message })) ?? []
  if (output) return toText(output)
  throw new Error('The wallet signed nothing')
}

const toText = ({ signedMessage, signature }: SignedMessage) => ({
  message: new TextDecoder('utf-8', { fatal: true }).decode(signedMessage),
  signature: `0x${Array.from(signature, (byte) => byte.toString(16).padStart(2, '0')).join('')}`,
})

const userRejected = 4001

/** The Wallet Standard has no error codes. Adds the code of EIP-1193 if the user rejected the request. */
function withCode(cause: unknown): unknown {
  const { code, message } = Object(cause)
  const isRejected = typeof code !== 'number' && /reject|declin|denied|cancel/i.test(String(message))
  return isRejected ? { code: userRejected, message: String(message) } : cause
}
