/**
 * What one running server is made of. `start/server.ts` builds it once; every area gets it with each call and keeps
 * nothing of its own, so that any number of processes may run on one database.
 */
import type { ActivityEntry } from '@latchkey/protocol/api'
import type { OperationStep, WalletPurpose } from '@latchkey/protocol/wallet'
import type { Logger } from 'pino'
import type { StoredConfig } from './app-settings/stored-config.ts'
import type { ServerConfig } from './config.ts'
import type { PageSources } from './http/pages/page-sources.ts'
import type { Keyring } from './keys/keyring.ts'
import type { Language } from './languages.ts'
import type { App, AppDirectory, Clock, Db, Forget, Kms, Reader, Trx } from './ports.ts'
import type { Registry } from './registry.ts'

type NamedByToken = {
  readonly appId: string
  readonly userId: string
  readonly sessionId: string
  /** The session was made from another one, and may do less. */
  readonly isFork: boolean
}
export type DialogToken = NamedByToken & {
  readonly scope: 'dialog'
  /** The thumbprint of the one key whose proofs make this token worth something. */
  readonly keyThumbprint: string
  /** The thumbprint of the vault's key that its session is bound to; null where it is to none. */
  readonly device: string | null
}
export type HostToken = NamedByToken & { readonly scope: 'host' }
export type WalletToken = NamedByToken & {
  readonly scope: 'wallet'
  readonly step: WalletStep
  /** The thumbprint of the device of its session, whose proofs make this token worth something. */
  readonly keyThumbprint: string
  /**
   * The language of the dialog that asked for the token: the wallet frame shows nothing itself, and what it does may
   * be told by mail.
   */
  readonly language: Language
}
export type VerifiedToken = DialogToken | HostToken | WalletToken

/** What a wallet token was made for. */
export type WalletStep = {
  /** Raw P-256 point, base64url: what is released goes sealed to it. */
  readonly vaultKey: string
  readonly operation: OperationStep
  readonly purpose: WalletPurpose
  /** Null where the purpose names none. */
  readonly walletId: string | null
  /** Null where nobody was asked for it. */
  readonly confirmed: ConfirmedRequest | null
}

/** What may be signed or done, and the confirmation that says so. */
export type ConfirmedRequest = { readonly confirmation: string; readonly digest: string }

/** `namesApp`: the details of the event have the name of another app, where it was known. */
export type ActivityEvents = Readonly<
  Record<string, { readonly kind: ActivityEntry['kind']; readonly namesApp?: true }>
>

export type ServerContext = {
  readonly config: ServerConfig
  readonly clock: Clock
  readonly log: Logger
  /** Outside of transactions: reads, and writes of one statement. */
  readonly db: Db
  /**
   * Runs the work in one transaction, and again when the engine says busy or not serializable: the work awaits
   * SQL on its `trx` and nothing else, and has no side effects.
   */
  readonly transaction: <Result>(work: (trx: Trx) => Promise<Result>) => Promise<Result>
  readonly apps: AppDirectory
  readonly kms: Kms
  readonly keyring: Keyring
  /** What the capabilities opened, each under its key: `mailer.on(context.ports)`. */
  readonly ports: Registry
  /** What the list of capabilities amounts to, for areas that do not know it. */
  readonly capabilities: {
    /** What the dialog of this app loads from other origins. */
    readonly sourcesFor: (app: App, reader: Reader) => Promise<Required<PageSources>>
    /** Where the dialog of this app finds others, by name. */
    readonly addressesFor: (app: App) => Readonly<Record<string, string>>
    /** Where its wallet frame finds what users keep of their own, by recovery method. */
    readonly cloudsFor: (app: App) => Readonly<Record<string, string>>
    /** Settings that are on and that no capability makes real, by the names that the API has. */
    readonly unbuiltSettings: (config: Partial<StoredConfig>) => readonly string[]
    /** Events of the audit that a user sees in the activity of their wallets, by their names. */
    readonly activity: ActivityEvents
    /** Takes all that there is of a user, but for their row, from every table. */
    readonly forget: Forget
  }
  /**
   * Undefined for whatever does not verify or has expired, or whose session is over, unless any is asked for. The caller
   * checks app, scope and proof.
   */
  readonly verifyToken: (
    token: string,
    of?: 'living session' | 'any session',
  ) => Promise<VerifiedToken | undefined>
}
