/** What a test gives the mock, and what it holds in its hands. Hosts read these types, so they name the loader alone. */
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

/** Somebody who logs in. What you leave out follows from the rest, and is the same in every run. */
export type MockUser = {
  id?: string
  email?: string
  phone?: string
  /** More accounts, such as one of Google. Wallets of the app are made by `wallets`. */
  linkedAccounts?: readonly LinkedAccount[]
  mfaMethods?: User['mfaMethods']
  hasAcceptedTerms?: boolean
}

/** What the user does when a call asks them: `waits` leaves each one open until your test settles it. */
export type MockPerson = 'approves' | 'refuses' | 'waits'

export type MockStatus = 'loading' | 'ready' | 'unreachable'

/** What a provider asks of a chain. */
export type ChainRequest = {
  chainId: number
  method: string
  params: readonly unknown[]
}

export type MockOptions = {
  appId?: string
  /** The origin of the dialog, which tokens name as their issuer. */
  dialogUrl?: string
  /** Who is logged in from the start. Without one, nobody is, and somebody with an e-mail address logs in by `login()`. */
  user?: MockUser
  /** Whether `user` is logged in from the start; false makes them the one who logs in by `login()`. */
  loggedIn?: boolean
  /** The wallets that everybody has who logs in: one of Ethereum where you say nothing. */
  wallets?: readonly MockWallet[]
  /** The key of the user's Ethereum wallet, in the place of one that follows from the user's id. */
  privateKey?: `0x${string}`
  /** Of the app; the wallet is on the first. `[1]` where you say nothing. */
  chains?: readonly number[]
  /** Answers what a provider reads from a chain. Return undefined to leave it to the mock. */
  chain?: (request: ChainRequest) => unknown
  /** `approves` where you say nothing. */
  person?: MockPerson
  /** `ready` where you say nothing. */
  status?: MockStatus
  /** The clock of tokens and accounts, in milliseconds. */
  now?: () => number
}

/** A call that your code made, or a request to its provider. */
export type RecordedCall =
  | {
      [Name in CallName]: { name: Name; args: Parameters<Latchkey[Name]> }
    }[CallName]
  | { name: 'request'; args: readonly [ProviderRequest] }
export type ProviderRequest = { method: string; params: readonly unknown[] }

/** What you may change of an answer. */
type Changes = {
  login: Partial<Pick<LoginResult, 'isNewUser' | 'loginMethod'>>
  sendTransaction: Partial<TransactionReceipt>
}
type NoChanges = { [name: string]: never }
export type ChangesOf<Name extends CallName> = Name extends keyof Changes ? Changes[Name] : NoChanges

/** A call that ends when your test says how. What settles it resolves once it has ended, so that `act` can wait for it. */
export type OpenCall<Name extends CallName = CallName> = {
  name: Name
  /** Settles once your code has made the call. */
  asked: Promise<RecordedCall>
  /** It succeeds. */
  approve(changes?: ChangesOf<Name>): Promise<void>
  /** The user closes it: it rejects with the code that the loader has for that, such as `exited_auth_flow`. */
  refuse(): Promise<void>
  /** It rejects with this code. */
  fail(code: ErrorCode, message?: string): Promise<void>
}

/** The public key of the mock's tokens, as a backend fetches it. */
export type MockKeySet = { keys: readonly Readonly<Record<string, string>>[] }

export type Control = {
  /** What your code has called, the oldest first. Hooks and stores of the loader call `getUser` too. */
  calls: readonly RecordedCall[]
  /** The arguments of each call of this name. */
  callsOf<Name extends CallName>(name: Name): readonly Parameters<Latchkey[Name]>[]
  /** What providers were asked. */
  requests: readonly ProviderRequest[]
  /**
   * Takes the next call of this name into your hands: it stays open until you approve, refuse or fail it, which you may
   * do before it is made. `personal_sign` is a `signMessage`, and so on: what shows the user the same is the same.
   */
  next<Name extends CallName>(name: Name): OpenCall<Name>
  /** The calls that wait for your test now. */
  waiting: readonly OpenCall[]
  /** What the user does from now on. */
  setPerson(person: MockPerson): void
  /** Logs somebody in without a call, as another tab does. */
  logIn(user?: MockUser): Promise<void>
  /** Logs out without a call, as another tab does. */
  logOut(): Promise<void>
  /** The user as they are now; null for a visitor. */
  user: User | null
  /** Changes the user who is logged in, and tells it. */
  updateUser(change: Partial<Pick<User, 'linkedAccounts' | 'mfaMethods' | 'hasAcceptedTerms'>>): Promise<void>
  setStatus(status: MockStatus): Promise<void>
  /** Moves the wallet to another chain of the app, and tells it. */
  switchChain(chainId: number): Promise<void>
  /** Tells an event that nothing in the mock leads to, such as `mfaRequired`. */
  tell<Name extends keyof LatchkeyEvents>(name: Name, event: LatchkeyEvents[Name]): void
  /** For a test with your backend: what it would fetch of `/.well-known/jwks.json`. */
  keySet: MockKeySet
}

/** A client as `createLatchkey()` gives one, with the hand that plays its user. */
export type MockLatchkey = Latchkey & { control: Control }
