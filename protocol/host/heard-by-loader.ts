/**
 * What the loader takes from the dialog. These schemas are on every customer's page, pinned for years: they say
 * the least that the loader and its host rely on, and let everything else through, such as an account of a kind
 * that came later. Their types are those of the entities as the present release knows them.
 */
import * as v from 'valibot'
import type { Hears } from '../channel/contract.ts'
import type { LoginMethod } from '../entities/client-config.ts'
import type { ConnectedWallet, LinkedAccount, WalletAccount } from '../entities/linked-account.ts'
import type { User } from '../entities/user.ts'

type Loosely<T> = v.GenericSchema<T, T>

const text = v.string()
/** As the dialog writes it; an editor is told so. */
const hex = () => v.string() as v.GenericSchema<string, `0x${string}`>
const empty = v.object({})
/** With whatever else an account of its kind has. */
const account = v.looseObject({ type: text, verifiedAt: v.number() }) as unknown as Loosely<LinkedAccount>
const wallet = v.looseObject({ type: text, address: text }) as unknown as Loosely<WalletAccount>
const user = v.looseObject({
  id: text,
  createdAt: v.number(),
  linkedAccounts: v.array(account),
}) as unknown as Loosely<User>
/** For the developer's console: settings that do nothing here. */
const warned = v.looseObject({ warnings: v.array(text) })
/** What the dialog serves, for a later loader: this one needs none of it. */
type Served = {
  readonly protocol: number
  readonly dialog: string
  readonly authenticated: boolean
  readonly capabilities: string[]
  readonly warnings: string[]
}
const maybeUser = v.nullable(user)

const authenticated = v.object({ authenticated: v.boolean() })
const whose = v.object({ user })

/** What the dialog asks of a wallet that an extension put into the host's page. */
export type WalletRequest = {
  readonly wallet: string
  readonly method: string
  readonly params: readonly unknown[]
}

/** An event that is not in this table is passed over. */
export const hostEvents = {
  ready: authenticated,
  login: whose,
  logout: empty,
  user: v.object({ user: maybeUser }),
  tokenGranted: empty,
  tokenRemoved: empty,
  open: empty,
  close: empty,
} as const
export type HostEvents = typeof hostEvents
export type HostEventName = keyof HostEvents
export type HostEvent = {
  readonly [Name in HostEventName]: { readonly type: Name } & v.InferOutput<HostEvents[Name]>
}[HostEventName]

export const heardByLoader = {
  calls: {
    show: empty,
    hide: empty,
    /** Read by its entry in `hostEvents`. */
    event: v.looseObject({ type: text }) as unknown as Loosely<HostEvent>,
    wallets: empty,
    /** Read by the loader's second file. */
    walletRequest: v.unknown() as Loosely<WalletRequest>,
  },
  answers: {
    hello: warned as unknown as Loosely<Served>,
    configure: warned,
    viewport: empty,
    login: v.object({
      user,
      isNewUser: v.boolean(),
      wasAlreadyAuthenticated: v.boolean(),
      loginMethod: v.nullable(text) as unknown as Loosely<LoginMethod | null>,
      loginAccount: v.nullable(account),
    }),
    logout: empty,
    user: v.object({ user: maybeUser }),
    accessToken: v.object({ token: v.nullable(text), expiresInSeconds: v.number() }),
    forkSession: v.object({ code: text, expiresInSeconds: v.number() }),
    connectWallet: v.object({ wallet }) as unknown as Loosely<{ wallet: ConnectedWallet }>,
    createWallet: v.object({ wallet }),
    signMessage: v.object({ signature: hex(), address: hex() }),
    link: whose,
    unlink: whose,
    updateEmail: whose,
  },
} as const satisfies Hears
export type HeardByLoader = typeof heardByLoader
export type LoginResult = v.InferOutput<HeardByLoader['answers']['login']>
