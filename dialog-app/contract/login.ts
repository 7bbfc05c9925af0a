/** What a login or a link, its methods and the steps after a login know of each other. */
import type {
  AppConfig,
  ConnectedWallet,
  LatchkeyError,
  LinkedAccount,
  LinkedAccountType,
  LoginMethod,
  UserRecord,
} from '@latchkey/protocol'
import type { AuthAnswer } from '@latchkey/protocol/api'
import type { VaultKey } from '@latchkey/protocol/wallet'
import type { CallOptions } from '../api/transport.ts'
import type { Changes } from '../app/changes.ts'
import type { Cancellable } from '../browser/waiting.ts'
import type { CardHandle, Flow } from '../flow/flow.ts'
import type { Events, Handlers, Part, ShownElement, ShownEntry, ShownPart } from '../flow/screen.ts'
import type { Settings } from '../host/settings.ts'

export type LoggedIn = {
  user: UserRecord
  isNewUser: boolean
  loginMethod: LoginMethod | null
  loginAccount: LinkedAccount | null
}

/** A login method as it is offered: with its switch in the app's configuration, and the way to its code. */
export type OfferedMethod = {
  method: LoginMethod
  /** Undefined of one that no setting of the app has on: whoever names it has it, where it is there. */
  appSetting: keyof AppConfig | undefined
  /**
   * How it stands on LANDING: a field that is filled in there, a row to press, wallets of which each is a row, or a
   * line below all others.
   */
  shows: 'field' | 'row' | 'wallets' | 'link'
  /** Where the app has it on: whether this browser is offered it. */
  isHere?: (settings: Settings) => boolean
  /** Where only the server knows whether the app has it. */
  isThere?: (asker: Cancellable) => Promise<boolean>
  /** Comes when it is first wanted, once. */
  load: () => Promise<MethodCode>
}

export const isOn = (app: AppConfig, { appSetting }: Pick<OfferedMethod, 'appSetting'>): boolean =>
  appSetting === undefined || app[appSetting] === true

export type MethodCode = {
  account: KindOfAccount
  /** Why this user can link none of it, where something stands in the way beside what there is of it already. */
  refusesLink?: (user: UserRecord) => LatchkeyError | undefined
  /** Loads the entry ahead of its use, if it does not load with this code. */
  loadEntry?: () => Promise<unknown>
  /** One for each login or link. */
  start: (progress: MethodInProgress) => StartedMethod | Promise<StartedMethod>
  /** Where it brings something that a page can use without a login: connects that, and nobody logs in by it. */
  connect?: (progress: ConnectInProgress) => Promise<StartedMethod>
  /** Links in a flow of its own, which also says whether there is room for one more. */
  linkFlow?: (unlink: UnlinkFlow) => Flow<UserRecord>
}

/** Asks the user, and unlinks. The name is what they know the account by. */
export type UnlinkFlow = (id: string, name: string | undefined) => Flow<UserRecord>

/** Has the user log in once more, in the card that asks: with one of those of their accounts, where a method proves one. */
export type LogInAgain = (
  card: Pick<CardHandle, 'interrupt' | 'signal'>,
  which: {
    /** The browser lost what ties the session to the wallet; or what they logged in with is too new for it. */
    because: 'device' | 'too new'
    isOne: (account: LinkedAccount) => boolean
  },
) => Promise<void>

/** The accounts that a method proves. */
export type KindOfAccount = {
  type: LinkedAccountType
  /** What tells it from the user's others: undefined of an account of another kind. */
  idOf: (account: LinkedAccount) => string | undefined
  /** One form of what a host may write in several, where there is more than one. */
  normalId?: (id: string) => string
  /** The name of the provider, for a method that no text has a word for. */
  providerName?: (asker: Cancellable) => Promise<string>
  /** What a person knows it by, where that is not its id; undefined of one that has no name. */
  nameOf?: (account: LinkedAccount) => string | undefined
  unlink: (id: string, asker: CallOptions) => Promise<UserRecord>
  /** A user may have several of them. */
  isMany?: true
  /** Why this one can not be unlinked, where it can never be. */
  stays?: (account: LinkedAccount) => LatchkeyError | undefined
}

export type StartedMethod = {
  /** The field or row of the method, on LANDING or where an account is linked. A part is read at each change. */
  entry: ShownElement | (() => ShownPart)
  /** The current choices that replace the entry, a row each: the wallets that were found. */
  rows?: () => readonly ShownEntry[]
  /** Continues after the page returned from another one. Runs when the entry is shown. */
  resume?: () => void
}

/** The login methods on a screen. */
export type ShownMethods = Pick<Changes, 'subscribe' | 'version'> & {
  /** Returns the entry of each loaded method in its order, or all of them as one laid-out element. */
  entries: () => readonly ShownEntry[]
}

export const getEntry = ({ entry }: StartedMethod): ShownEntry =>
  typeof entry === 'function' ? entry() : entry

/** Returns the choices on a screen of this method alone. */
export function entriesOf(method: StartedMethod): readonly ShownEntry[] {
  const choices = method.rows?.() ?? []
  return choices.length > 0 ? choices : [getEntry(method)]
}

/**
 * What an account is proved for: to log in, to be linked to the user, to take the place of one that they have, or, of
 * one that they have, for what its provider hands out anew.
 */
export type Purpose = 'login' | 'link' | 'replace' | 'reauthorize'

/** The calls of a proof, one of which is made. */
export type Proof = {
  logIn: (vault: VaultKey | undefined, asker: CallOptions) => Promise<AuthAnswer>
  /** Missing where the method links in a flow of its own. */
  link?: (asker: CallOptions) => Promise<UserRecord>
  /** Its id is that of the account whose place is taken. */
  replace?: (replacedId: string, asker: CallOptions) => Promise<UserRecord>
}
export type Proved = { user: UserRecord; isNewUser: boolean }

/** What a method may do with the login, or the link, that it is part of. */
export type MethodInProgress = {
  purpose: Purpose
  card: CardHandle
  /** Its entry with its state; what that sends counts while the screen with the entry can be used. */
  entry: <State, E extends Events>(part: Part<State, E>, state: State, handlers: Handlers<E>) => ShownPart
  /** The user has chosen: what comes after the login is made ready meanwhile. */
  chosen: () => void
  /** Entries changed: the screen that has them shows them anew. */
  refreshEntry: () => void
  isAtEntry: () => boolean
  prove: (proof: Proof, asker: CallOptions) => Promise<Proved>
  /** Shows what an error means, with a way back. */
  refuse: (error: unknown) => void
  /** The method shows this problem itself; a host that learns of more than the user's leaving is told it when they leave. */
  failed?: (problem: LatchkeyError) => void
  /** What whoever asked is told where the user leaves from here on, until they choose anew. */
  closesWith?: (problem: LatchkeyError) => void
  complete: (login: LoggedIn) => void
  /** To the first screen, for another choice. */
  startOver: () => void
  /** The flow ends as if the user had closed the card. */
  leave: () => void
}

/** What a connection may do with the card that it is part of. */
export type ConnectInProgress = Pick<
  MethodInProgress,
  'card' | 'chosen' | 'refreshEntry' | 'failed' | 'startOver' | 'leave'
> & {
  connected: (wallet: ConnectedWallet) => void
}

/** Something that is due between a login and its end. Steps come in the order of the list of capabilities. */
export type AfterLoginStep = {
  /** A wallet is wanted where whoever asked for the login gets it, whatever the settings are. */
  isDue: (user: UserRecord, isWalletWanted?: boolean) => boolean
  /** After a login by phone, too, the success stays to be seen for longer before it. */
  longerAfterPhone?: true
  /** Begins its work at once, as soon as the step is known to come. */
  run: (after: AfterLogin) => Promise<StepOutcome>
  /** Makes up for it at a later visit, without a card. A step without this needs the user. */
  catchUp?: () => Promise<unknown>
}

export type AfterLogin = {
  card: CardHandle
  login: LoggedIn
  /** What stands on the card was seen: the step may show itself. */
  seen: Promise<void>
  startOver: () => void
}

export type StepOutcome =
  /** `seen` settles when the user had time to read the step's success. */
  | { type: 'done'; seen?: Promise<void> }
  /** Nobody is logged in any more, and the step's screen offers to start over. */
  | { type: 'undone' }
  /** The user wants no more of it. Nobody is logged in any more. */
  | { type: 'declined' }

/**
 * What a call that starts a login needs where the app wants to know that it is a person. Goes into the body of the
 * call, once. Empty where the app asks for no captcha.
 */
export type CaptchaPass = { token?: string }

/** Undefined where the user went back instead. */
export type GetCaptchaPass = (card: CardHandle) => Promise<CaptchaPass | undefined>
