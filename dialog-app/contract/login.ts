/** The contract between a login or a link, its methods, and the steps after a login. */
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
import type { ShownElement } from '../flow/screen.ts'
import type { Settings } from '../host/settings.ts'

export type LoggedIn = {
  user: UserRecord
  isNewUser: boolean
  loginMethod: LoginMethod | null
  loginAccount: LinkedAccount | null
}

/** A login method with its app setting and its code, which loads on demand. */
export type OfferedMethod = {
  method: LoginMethod
  /** Undefined for a method without a setting, which is offered if the host page names it. */
  appSetting: keyof AppConfig | undefined
  /** Its form on LANDING: a field, a row, a row for each wallet, or a line below all others. */
  shows: 'field' | 'row' | 'wallets' | 'link'
  /** Returns whether an enabled method is offered in this browser. */
  isHere?: (settings: Settings) => boolean
  /** Asks the server whether the app has the method, if its configuration does not say so. */
  isThere?: (asker: Cancellable) => Promise<boolean>
  /** Loads the code once. */
  load: () => Promise<MethodCode>
}

export const isOn = (app: AppConfig, { appSetting }: Pick<OfferedMethod, 'appSetting'>): boolean =>
  appSetting === undefined || app[appSetting] === true

export type MethodCode = {
  account: KindOfAccount
  /** Returns why the user cannot link an account of this kind, apart from existing ones. */
  refusesLink?: (user: UserRecord) => LatchkeyError | undefined
  /** Loads the entry ahead of its use, if it does not load with this code. */
  loadEntry?: () => Promise<unknown>
  /** Runs once for each login or link. */
  start: (progress: MethodInProgress) => StartedMethod | Promise<StartedMethod>
  /** Connects a wallet for the page, without a login. */
  connect?: (progress: ConnectInProgress) => Promise<StartedMethod>
  /** Links with screens of its own, which also show whether another account fits. */
  linkFlow?: (unlink: UnlinkFlow) => Flow<UserRecord>
}

/** Unlinks an account after the user has agreed. `name` is the account's name on the screen. */
export type UnlinkFlow = (id: string, name: string | undefined) => Flow<UserRecord>

/** Lets the user log in again on the present card, with one of the accepted accounts if a method proves one. */
export type LogInAgain = (
  card: Pick<CardHandle, 'interrupt' | 'signal'>,
  which: {
    /** The device key is missing, or the account of the login is too new for the wallet. */
    because: 'device' | 'too new'
    isOne: (account: LinkedAccount) => boolean
  },
) => Promise<void>

/** The kind of accounts that a method proves. */
export type KindOfAccount = {
  type: LinkedAccountType
  /** Returns the id that distinguishes the user's accounts of this kind, or undefined for another kind. */
  idOf: (account: LinkedAccount) => string | undefined
  /** Normalizes an id that a host may write in several forms. */
  normalId?: (id: string) => string
  /** Returns the provider's name, if no text contains it. */
  providerName?: (asker: Cancellable) => Promise<string>
  /** Returns the name that users know the account by, if it is not the id. */
  nameOf?: (account: LinkedAccount) => string | undefined
  unlink: (id: string, asker: CallOptions) => Promise<UserRecord>
  /** A user may have several accounts of this kind. */
  isMany?: true
  /** Returns why an account can never be unlinked. */
  stays?: (account: LinkedAccount) => LatchkeyError | undefined
}

export type StartedMethod = {
  /** The field or row of the method, on LANDING or where an account is linked. */
  entry: ShownElement
  /** The current choices that replace the entry, a row each: the wallets that were found. */
  rows?: () => readonly ShownElement[]
  /** Continues after the page returned from another one. Runs when the entry is shown. */
  resume?: () => void
}

/** The login methods on a screen. */
export type ShownMethods = Pick<Changes, 'subscribe' | 'version'> & {
  /** Returns the entry of each loaded method in its order, or all of them as one laid-out element. */
  entries: () => readonly ShownElement[]
}

/** Returns the choices on a screen of this method alone. */
export function entriesOf(method: StartedMethod): readonly ShownElement[] {
  const choices = method.rows?.() ?? []
  return choices.length > 0 ? choices : [method.entry]
}

/**
 * The purpose of a proof: to log in, to link an account, to replace a linked account, or to get new tokens from the
 * provider of a linked account.
 */
export type Purpose = 'login' | 'link' | 'replace' | 'reauthorize'

/** The calls that use a proof. One of them is made. */
export type Proof = {
  logIn: (vault: VaultKey | undefined, asker: CallOptions) => Promise<AuthAnswer>
  /** Undefined if the method links with screens of its own. */
  link?: (asker: CallOptions) => Promise<UserRecord>
  /** Replaces the account with this id. */
  replace?: (replacedId: string, asker: CallOptions) => Promise<UserRecord>
}
export type Proved = { user: UserRecord; isNewUser: boolean }

/** The login or link of a method. */
export type MethodInProgress = {
  purpose: Purpose
  card: CardHandle
  /** Called when the user chooses this method. Preloads the steps after the login. */
  chosen: () => void
  /** Draws the rows again after a change. */
  refreshRows: () => void
  isAtEntry: () => boolean
  prove: (proof: Proof, asker: CallOptions) => Promise<Proved>
  /** Shows the screen of an error, with a way back. */
  refuse: (error: unknown) => void
  /** The method shows this problem itself. Some callers receive it when the user leaves. */
  failed?: (problem: LatchkeyError) => void
  /** Sets the caller's error if the user leaves, until another method is chosen. */
  closesWith?: (problem: LatchkeyError) => void
  complete: (login: LoggedIn) => void
  /** Returns to the first screen. */
  startOver: () => void
  /** Ends the login as if the user had closed the card. */
  leave: () => void
}

/** A wallet connection without a login. */
export type ConnectInProgress = Pick<
  MethodInProgress,
  'card' | 'chosen' | 'refreshRows' | 'failed' | 'startOver' | 'leave'
> & {
  connected: (wallet: ConnectedWallet) => void
}

/** A step between a login and its end. Steps run in the order of the capabilities. */
export type AfterLoginStep = {
  /** `isWalletWanted`: the caller of the login receives the wallet, regardless of the settings. */
  isDue: (user: UserRecord, isWalletWanted?: boolean) => boolean
  /** The success of a login by phone stays visible for longer before this step. */
  longerAfterPhone?: true
  /** Loads the code of a step that may follow, while the user logs in. */
  preload?: () => Promise<unknown>
  /** Starts its work immediately, before its screen is shown. */
  run: (after: AfterLogin) => Promise<StepOutcome>
  /** Takes the step at a later visit, without a card. A step without this function needs the user. */
  catchUp?: () => Promise<unknown>
}

export type AfterLogin = {
  card: CardHandle
  login: LoggedIn
  /** Resolves when the user had time to read the present screen. The step may then show its own. */
  seen: Promise<void>
  startOver: () => void
}

export type StepOutcome =
  /** `seen` settles when the user had time to read the step's success. */
  | { type: 'done'; seen?: Promise<void> }
  /** The step has logged the user out, and its screen offers to start over. */
  | { type: 'undone' }
  /** The user declined the step, and is logged out. */
  | { type: 'declined' }

/** The captcha token for the body of one call that starts a login. Empty if the app requires no captcha. */
export type CaptchaPass = { token?: string }

/** Resolves with undefined if the user went back. */
export type GetCaptchaPass = (card: CardHandle) => Promise<CaptchaPass | undefined>
