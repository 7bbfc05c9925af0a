/**
 * What the loader's first file takes from the dialog: what every page uses. Calls that few need have their rows in
 * `capability-calls.ts`.
 */
import * as v from 'valibot'
import type { ReceivedMessages } from '../channel/contract.ts'
import type { LoginMethod } from '../entities/login-methods.ts'
import { lenientAccount as account, type Lenient, lenientUser as user } from '../rows/lenient.ts'

const text = v.string()
const empty = v.object({})
/** Settings that do nothing here, for the developer's console. */
const warned = v.looseObject({ warnings: v.array(text) })
/** What the dialog serves, for a later loader: this one needs none of it. */
type Served = {
  protocol: number
  dialog: string
  authenticated: boolean
  capabilities: string[]
  warnings: string[]
}
const maybeUser = v.nullable(user)

const authenticated = v.object({ authenticated: v.boolean() })
const whose = v.object({ user })

/** What the dialog asks of a wallet that an extension put into the host's page. */
export type WalletRequest = {
  wallet: string
  method: string
  params: readonly unknown[]
}

/** An event that is not in this table is passed over. */
export const hostEvents = {
  ready: authenticated,
  login: whose,
  logout: empty,
  user: v.object({ user: maybeUser }),
  tokenGranted: empty,
  tokenRemoved: empty,
  /** The card can be seen; that the frame is shown or hidden is the loader's own doing. */
  open: empty,
  /** An event of a capability is read by the loader's second file. */
  more: v.object({ name: text, data: v.unknown() }),
} as const
export type HostEvents = typeof hostEvents
export type HostEventName = keyof HostEvents
export type HostEvent = {
  [Name in HostEventName]: { type: Name } & v.InferOutput<HostEvents[Name]>
}[HostEventName]

export const loaderMessages = {
  calls: {
    show: empty,
    hide: empty,
    /** The entry of the event in `hostEvents` reads the rest. */
    event: v.looseObject({ type: text }) as unknown as Lenient<HostEvent>,
    /** The loader's second file reads the request. */
    walletRequest: v.unknown() as Lenient<WalletRequest>,
  },
  answers: {
    hello: warned as unknown as Lenient<Served>,
    configure: warned,
    viewport: empty,
    login: v.object({
      user,
      isNewUser: v.boolean(),
      wasAlreadyAuthenticated: v.boolean(),
      loginMethod: v.nullable(text) as unknown as Lenient<LoginMethod | null>,
      loginAccount: v.nullable(account),
    }),
    logout: empty,
    user: v.object({ user: maybeUser }),
    accessToken: v.object({ token: v.nullable(text), expiresInSeconds: v.number() }),
    /** The loader's second file reads the answers of these three. */
    more: v.unknown(),
    read: v.unknown(),
    moreForUser: v.unknown(),
  },
} as const satisfies ReceivedMessages
export type LoaderMessages = typeof loaderMessages
export type LoginResult = v.InferOutput<LoaderMessages['answers']['login']>
