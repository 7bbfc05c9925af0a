/**
 * A capability is a folder that exports one object: what the lists of the dialog need to know of it, and what it
 * brings. The object is small, and says when it comes; its flows and components load when they are wanted.
 */
import type { WalletAccount } from '@latchkey/protocol'
import type { DialogServices } from '../app/services.ts'
import type { ConfirmOnPage } from '../approval/confirmed.ts'
import type { CardHandle } from '../flow/flow.ts'
import type { AnyScreen } from '../flow/screen.ts'
import type { Stage } from '../flow/stage.ts'
import type { CallByName, HostCalls, LogIn } from '../host/host-calls.ts'
import type { OwnRecovery } from '../wallet/own-recovery.ts'
import type { Remedy } from '../wallet/wallet-obstacles.ts'
import type { AccountEntry } from './account.ts'
import type { ConnectedWallets } from './connected-wallets.ts'
import type { Dapps } from './dapps.ts'
import type { AddFunds, PayFromWallet } from './funds.ts'
import type { AfterLoginStep, GetCaptchaPass, LogInAgain, OfferedMethod } from './login.ts'
import type { Refusals } from './refusals.ts'

export type Capability = {
  name: string
  screens?: () => Promise<readonly AnyScreen[]>
  /**
   * When this object is there: at the start, or in an app that has one of the settings of such capabilities on. One that
   * says nothing comes with a user, or with whatever asks for something that only those bring.
   */
  comes?: 'at start' | 'with its setting'
  /** When its code is loaded ahead of its use: for somebody who may log in, for a user, or not at all. */
  loadedFor: 'visitors' | 'users' | 'nobody'
  bring: (ports: CapabilityPorts) => Contributions
}

/** What the contract has no name for would reach nobody, so it does not compile. */
type BringsWhatIsKnown<C> = C extends { bring: (ports: never) => infer Brought }
  ? { bring: (ports: never) => Record<Exclude<keyof Brought, keyof Contributions>, never> }
  : unknown

/** Checks the object and keeps the names in it as they are written. */
export const defineCapability = <const C extends Capability>(capability: C & BringsWhatIsKnown<C>): C =>
  capability

export type Contributions = {
  /** Loads its flows, ahead of their use. */
  load?: () => Promise<unknown>
  logIn?: LogIn
  hostCalls?: HostCalls
  login?: readonly OfferedMethod[]
  /** A method that is no list's: one for each name that it knows the form of. */
  loginNamed?: (name: string) => OfferedMethod | undefined
  afterLogin?: readonly AfterLoginStep[]
  captchaPass?: GetCaptchaPass
  chooseRecovery?: ChooseRecovery
  makeWallet?: MakeWallet
  addFunds?: AddFunds
  payFromWallet?: PayFromWallet
  confirmOnPage?: ConfirmOnPage
  connectedWallets?: ConnectedWallets
  dapps?: Dapps
  logInAgain?: LogInAgain
  /** Asks the user who has just logged in what they could be told of nowhere else. */
  showNotices?: () => Promise<void>
  refusals?: Refusals
  account?: readonly AccountEntry[]
  /** Come when a call of the wallet met something. */
  remedies?: () => Promise<readonly Remedy[]>
  /** Goes on with what took the page away, if that is what came back in its address, to its end. */
  resume?: (parameters: URLSearchParams) => Promise<void>
  /** Once it is known what the host wants, and whenever it may want something else: what its page is told by itself. */
  meetPage?: () => Promise<void>
  /** Begins by itself, on a page where nobody is logged in, once that and the settings of the host are known. */
  onStart?: () => Promise<void>
  /** What the dialog does where it is a page of its own, and nobody else asks anything of it. */
  standalone?: () => Promise<void>
}

/** What capabilities run on: the outside, the card, and what other capabilities contribute. */
export type CapabilityPorts = DialogServices & {
  stage: Stage
  remedies: () => Promise<readonly Remedy[]>
  captchaPass: GetCaptchaPass
  chooseRecovery: ChooseRecovery
  makeWallet: MakeWallet
  addFunds: AddFunds
  payFromWallet: PayFromWallet
  confirmOnPage: ConfirmOnPage
  connectedWallets: ConnectedWallets
  dapps: Dapps
  logInAgain: LogInAgain
  showNotices: () => Promise<void>
  refusals: Refusals
  /** Those of the lists, and those that the page names. */
  loginMethods: () => readonly OfferedMethod[]
  loginMethod: (name: string) => OfferedMethod | undefined
  afterLogin: () => readonly AfterLoginStep[]
  account: () => readonly AccountEntry[]
  logIn: LogIn
  callByName: CallByName
  /** Asks for code with the patience that calls have. */
  load: <T>(code: () => Promise<T>) => Promise<T>
}

/** `save` is given what was chosen, and may fail; then it is offered again. Resolves when it is seen. */
type ChooseRecovery = (card: CardHandle, save: (own: OwnRecovery) => Promise<void>) => Promise<void>

/** A new wallet, kept by this. */
type MakeWallet = (own: OwnRecovery) => Promise<WalletAccount>
