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
  appId: string
  userId: string
  sessionId: string
  /** The session was made from another one, and may do less. */
  isFork: boolean
}
export type DialogToken = NamedByToken & {
  scope: 'dialog'
  /** The thumbprint of the one key whose proofs make this token worth something. */
  keyThumbprint: string
  /** The thumbprint of the vault's key that its session is bound to; null where it is to none. */
  device: string | null
}
export type HostToken = NamedByToken & { scope: 'host' }
export type WalletToken = NamedByToken & {
  scope: 'wallet'
  step: WalletStep
  /** The thumbprint of the device of its session, whose proofs make this token worth something. */
  keyThumbprint: string
  /**
   * The language of the dialog that asked for the token: the wallet frame shows nothing itself, and what it does may
   * be told by mail.
   */
  language: Language
}
export type VerifiedToken = DialogToken | HostToken | WalletToken

/** What a wallet token was made for. */
export type WalletStep = {
  /** Raw P-256 point, base64url: what is released goes sealed to it. */
  vaultKey: string
  operation: OperationStep
  purpose: WalletPurpose
  /** Null where the purpose names none. */
  walletId: string | null
  /** Null where nobody was asked for it. */
  confirmed: ConfirmedRequest | null
}

/** What may be signed or done, and the confirmation that says so. */
export type ConfirmedRequest = { confirmation: string; digest: string }

/** `namesApp`: the details of the event have the name of another app, where it was known. */
export type ActivityEvents = Readonly<Record<string, { kind: ActivityEntry['kind']; namesApp?: true }>>

export type ServerContext = {
  config: ServerConfig
  clock: Clock
  log: Logger
  /** Outside of transactions: reads, and writes of one statement. */
  db: Db
  /**
   * Runs the work in one transaction, and again when the engine says busy or not serializable: the work awaits
   * SQL on its `trx` and nothing else, and has no side effects.
   */
  transaction: <Result>(work: (trx: Trx) => Promise<Result>) => Promise<Result>
  apps: AppDirectory
  kms: Kms
  keyring: Keyring
  /** What the capabilities opened, each under its key: `mailer.on(context.ports)`. */
  ports: Registry
  /** What the list of capabilities amounts to, for areas that do not know it. */
  capabilities: {
    /** What the dialog of this app loads from other origins. */
    sourcesFor: (app: App, reader: Reader) => Promise<Required<PageSources>>
    /** Where the dialog of this app finds others, by name. */
    addressesFor: (app: App) => Readonly<Record<string, string>>
    /** Where its wallet frame finds what users keep of their own, by recovery method. */
    cloudsFor: (app: App) => Readonly<Record<string, string>>
    /** Settings that are on and that no capability makes real, by the names that the API has. */
    unbuiltSettings: (config: Partial<StoredConfig>) => readonly string[]
    /** Events of the audit that a user sees in the activity of their wallets, by their names. */
    activity: ActivityEvents
    /** Takes all that there is of a user, but for their row, from every table. */
    forget: Forget
  }
  /**
   * Undefined for whatever does not verify or has expired, or whose session is over, unless any is asked for. The caller
   * checks app, scope and proof.
   */
  verifyToken: (token: string, of?: 'living session' | 'any session') => Promise<VerifiedToken | undefined>
}
