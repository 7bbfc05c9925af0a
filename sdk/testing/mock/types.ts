/** The options and controls of the mock. Hosts see these types, so they depend only on the loader. */
import type {
  ErrorCode,
  Latchkey,
  LatchkeyEvents,
  LinkedAccount,
  LoginResult,
  TransactionReceipt,
  User,
} from '@latchkey/loader'

/** The calls of a client, such as `login` and `signMessage`. */
export type CallName = Exclude<keyof Latchkey, 'appId' | 'ready' | 'on' | 'destroy'>

export type MockWallet = 'ethereum' | 'solana'

/** A user who logs in. Omitted values are derived from the others and are the same in every run. */
export type MockUser = {
  id?: string
  email?: string
  phone?: string
  /** More accounts, such as a Google account. Embedded wallets are created by `wallets`. */
  linkedAccounts?: readonly LinkedAccount[]
  mfaMethods?: User['mfaMethods']
  hasAcceptedTerms?: boolean
}

/** The user's decision at prompts. `waits` leaves each call pending until your test settles it. */
export type MockPerson = 'approves' | 'refuses' | 'waits'

export type MockStatus = 'loading' | 'ready' | 'unreachable'

/** A provider's read request to a chain. */
export type ChainRequest = {
  chainId: number
  method: string
  params: readonly unknown[]
}

export type MockOptions = {
  appId?: string
  /** The origin of the dialog, which is the issuer of tokens. */
  dialogUrl?: string
  /** The user who is logged in from the start. Without one, `login()` logs in a user with an e-mail address. */
  user?: MockUser
  /** Whether `user` is logged in from the start. If false, `login()` logs them in. */
  loggedIn?: boolean
  /** The wallets that every user has after login. Defaults to an Ethereum wallet. */
  wallets?: readonly MockWallet[]
  /** The key of the user's Ethereum wallet. By default it is derived from the user's id. */
  privateKey?: `0x${string}`
  /** The chains of the app. The wallet starts on the first. Defaults to `[1]`. */
  chains?: readonly number[]
  /** Answers read requests to a chain. Return undefined for the mock's own answer. */
  chain?: (request: ChainRequest) => unknown
  /** Defaults to `approves`. */
  person?: MockPerson
  /** Defaults to `ready`. */
  status?: MockStatus
  /** The clock of tokens and accounts, in milliseconds. */
  now?: () => number
}

/** A call of your code, or a request to its provider. */
export type RecordedCall =
  | {
      [Name in CallName]: { name: Name; args: Parameters<Latchkey[Name]> }
    }[CallName]
  | { name: 'request'; args: readonly [ProviderRequest] }
export type ProviderRequest = { method: string; params: readonly unknown[] }

/** The parts of a result that a test may change. */
type Changes = {
  login: Partial<Pick<LoginResult, 'isNewUser' | 'loginMethod'>>
  sendTransaction: Partial<TransactionReceipt>
}
type NoChanges = { [name: string]: never }
export type ChangesOf<Name extends CallName> = Name extends keyof Changes ? Changes[Name] : NoChanges

/**
 * A call that your test settles. Its methods resolve once the call has ended, so that `act` can wait for it.
 */
export type OpenCall<Name extends CallName = CallName> = {
  name: Name
  /** Resolves once your code has made the call. */
  asked: Promise<RecordedCall>
  /** Lets the call succeed. */
  approve(changes?: ChangesOf<Name>): Promise<void>
  /** Closes the call's card: it rejects with the loader's code for that, such as `exited_auth_flow`. */
  refuse(): Promise<void>
  /** Rejects the call with this code. */
  fail(code: ErrorCode, message?: string): Promise<void>
}

/** The public key of the mock's tokens, as a backend fetches it. */
export type MockKeySet = { keys: readonly Readonly<Record<string, string>>[] }

export type Control = {
  /** The calls of your code, oldest first. The loader's hooks and stores call `getUser` too. */
  calls: readonly RecordedCall[]
  /** Returns the arguments of each call with this name. */
  callsOf<Name extends CallName>(name: Name): readonly Parameters<Latchkey[Name]>[]
  /** The requests to providers. */
  requests: readonly ProviderRequest[]
  /**
   * Takes control of the next call with this name: it stays pending until you approve, refuse or fail it, which
   * you may do before it is made. Requests count as the call with the same prompt: `personal_sign` is a
   * `signMessage`.
   */
  next<Name extends CallName>(name: Name): OpenCall<Name>
  /** The calls that wait for your test. */
  waiting: readonly OpenCall[]
  /** Sets the user's decision from now on. */
  setPerson(person: MockPerson): void
  /** Logs a user in without a call, like another tab. */
  logIn(user?: MockUser): Promise<void>
  /** Logs out without a call, like another tab. */
  logOut(): Promise<void>
  /** The current user; null for a visitor. */
  user: User | null
  /** Changes the logged-in user and emits `user`. */
  updateUser(change: Partial<Pick<User, 'linkedAccounts' | 'mfaMethods' | 'hasAcceptedTerms'>>): Promise<void>
  setStatus(status: MockStatus): Promise<void>
  /** Switches the wallet to another chain of the app and emits `chainChanged`. */
  switchChain(chainId: number): Promise<void>
  /** Emits an event that the mock does not cause itself, such as `mfaRequired`. */
  tell<Name extends keyof LatchkeyEvents>(name: Name, event: LatchkeyEvents[Name]): void
  /** The content of `/.well-known/jwks.json`, for tests with your backend. */
  keySet: MockKeySet
}

/** A client as returned by `createLatchkey()`, with controls for its user. */
export type MockLatchkey = Latchkey & { control: Control }
