/**
 * A capability is a folder that exports one small object: its place in the lists of the dialog, when it loads, and its
 * contributions. Its calls and components load on demand.
 */
import type { WalletAccount } from '@latchkey/protocol'
import type { LazyScreen } from '../app/screen.ts'
import type { DialogServices } from '../app/services.ts'
import type { ConfirmOnPage } from '../approval/confirmed.ts'
import type { CardHandle } from '../flow/flow.ts'
import type { Stage } from '../flow/stage.ts'
import type { CallByName, HostCalls, HostLogin, LogIn } from '../host/host-calls.ts'
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
  screens?: () => Promise<readonly LazyScreen<never>[]>
  /**
   * When this object loads: at the start, or in an app that enables one of the capability's settings. By default it loads
   * with a user, or with the first request for a contribution of such a capability.
   */
  comes?: 'at start' | 'with its setting'
  /** The audience that preloads its code: visitors before login, logged-in users, or neither. */
  loadedFor: 'visitors' | 'users' | 'nobody'
  bring: (ports: CapabilityPorts) => Contributions
}

/** Contributions without a name in the contract do not compile, because no code would read them. */
type BringsWhatIsKnown<C> = C extends { bring: (ports: never) => infer Brought }
  ? { bring: (ports: never) => Record<Exclude<keyof Brought, keyof Contributions>, never> }
  : unknown

/** Checks the object, and keeps its literal types. */
export const defineCapability = <const C extends Capability>(capability: C & BringsWhatIsKnown<C>): C =>
  capability

export type Contributions = {
  /** Preloads its code. */
  load?: () => Promise<unknown>
  logIn?: LogIn
  /** Loads the login of host pages that have one of their own. */
  hostLogin?: () => Promise<HostLogin>
  hostCalls?: HostCalls
  login?: readonly OfferedMethod[]
  /** Returns a method that is in no list, if its name has a known form. */
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
  /** Shows notices right after a login. */
  showNotices?: () => Promise<void>
  refusals?: Refusals
  account?: readonly AccountEntry[]
  /** Load when a wallet call meets an obstacle. */
  remedies?: () => Promise<readonly Remedy[]>
  /** Continues after a redirect, if the parameters of the page's URL belong to this capability. */
  resume?: (parameters: URLSearchParams) => Promise<void>
  /** Sends unsolicited messages to the host page. Runs when the host settings are known and after each change. */
  meetPage?: () => Promise<void>
  /** Runs on a page without a user, once the settings of the host are known. */
  onStart?: () => Promise<void>
  /** Runs in a standalone dialog without a pending call. */
  standalone?: () => Promise<void>
}

/** The services of the dialog, the stage, and the contributions of other capabilities. */
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
  /** Includes the methods that the host page names. */
  loginMethods: () => readonly OfferedMethod[]
  loginMethod: (name: string) => OfferedMethod | undefined
  afterLogin: () => readonly AfterLoginStep[]
  account: () => readonly AccountEntry[]
  logIn: LogIn
  callByName: CallByName
  /** Loads code, with the retries of calls. */
  load: <T>(code: () => Promise<T>) => Promise<T>
}

/** Offers the recovery methods, again if `save` fails. Resolves when the user has seen the success. */
type ChooseRecovery = (card: CardHandle, save: (own: OwnRecovery) => Promise<void>) => Promise<void>

/** Creates a wallet with this recovery method. */
type MakeWallet = (own: OwnRecovery) => Promise<WalletAccount>
