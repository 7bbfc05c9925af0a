/** Messages that the loader's first file accepts from the dialog. Less common calls are in `capability-calls.ts`. */
import * as v from 'valibot'
import type { ReceivedMessages } from '../channel/contract.ts'
import type { LoginMethod } from '../entities/login-methods.ts'
import { lenientAccount as account, type Lenient, lenientUser as user } from '../rows/lenient.ts'

const text = v.string()
const empty = v.object({})
/** Warnings for the developer console about settings without effect. */
const warned = v.looseObject({ warnings: v.array(text) })
/** The dialog's capabilities, for later loaders. */
type Served = {
  protocol: number
  dialog: string
  authenticated: boolean
  capabilities: string[]
  warnings: string[]
}
const maybeUser = v.nullable(user)

const authenticated = v.object({ authenticated: v.boolean() })
const userAnswer = v.object({ user })

/** A request of the dialog to a wallet extension of the host page. */
export type WalletRequest = {
  wallet: string
  method: string
  params: readonly unknown[]
}

/** Unknown events are ignored. */
export const hostEvents = {
  ready: authenticated,
  login: userAnswer,
  logout: empty,
  user: v.object({ user: maybeUser }),
  tokenGranted: empty,
  tokenRemoved: empty,
  /** The card is visible. The loader itself shows and hides the frame. */
  open: empty,
  /** A capability's event, parsed by the loader's second file. */
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
    /** The event's entry in `hostEvents` validates the rest. */
    event: v.looseObject({ type: text }) as unknown as Lenient<HostEvent>,
    /** Validated by the loader's second file. */
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
    /** The answers of these three are validated by the loader's second file. */
    more: v.unknown(),
    read: v.unknown(),
    moreForUser: v.unknown(),
  },
} as const satisfies ReceivedMessages
export type LoaderMessages = typeof loaderMessages
export type LoginResult = v.InferOutput<LoaderMessages['answers']['login']>
