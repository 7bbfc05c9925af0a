/**
 * The context of one running server. `start/server.ts` builds it once and passes it to each call. Areas keep no state
 * of their own, so any number of processes may share one database.
 */
import type { ActivityEntry } from '@latchkey/protocol/api'
import type { OperationStep, WalletPurpose } from '@latchkey/protocol/wallet'
import type { Logger } from 'pino'
import type { StoredConfig } from './app-settings/stored-config.ts'
import type { ServerConfig } from './config.ts'
import type { Migrations } from './db/migrations/migration.ts'
import type { PageSources } from './http/pages/page-sources.ts'
import type { Keyring } from './keys/keyring.ts'
import type { Language } from './languages.ts'
import type { App, AppDirectory, Clock, Db, Forget, Kms, Reader, Trx } from './ports.ts'
import type { Registry } from './registry.ts'
import type { ThirdParty } from './third-parties.ts'

type TokenSubject = {
  appId: string
  userId: string
  sessionId: string
  /** The session was derived from another one and has fewer rights. */
  isFork: boolean
}
export type DialogToken = TokenSubject & {
  scope: 'dialog'
  /** The thumbprint of the key that must sign the session proofs of this token. */
  keyThumbprint: string
  /** The thumbprint of the session's device key, or null. */
  device: string | null
}
export type HostToken = TokenSubject & { scope: 'host' }
export type WalletToken = TokenSubject & {
  scope: 'wallet'
  step: WalletStep
  /** The thumbprint of the session's device key, which must sign the proofs of this token. */
  keyThumbprint: string
  /** The dialog's language at the time of the token request. Mails about wallet operations use it. */
  language: Language
}
export type VerifiedToken = DialogToken | HostToken | WalletToken

/** The operation step that a wallet token is issued for. */
export type WalletStep = {
  /** Raw P-256 point, base64url. Releases are sealed to it. */
  vaultKey: string
  operation: OperationStep
  purpose: WalletPurpose
  /** Null if the purpose has no wallet. */
  walletId: string | null
  /** Null if the step needs no confirmation. */
  confirmed: ConfirmedRequest | null
}

/** The digest that may be signed or executed, and its confirmation. */
export type ConfirmedRequest = { confirmation: string; digest: string }

/** `namesApp`: the event details contain the name of another app, if it was known. */
export type ActivityEvents = Readonly<Record<string, { kind: ActivityEntry['kind']; namesApp?: true }>>

export type ServerContext = {
  config: ServerConfig
  clock: Clock
  log: Logger
  /** Used outside of transactions: reads, and single-statement writes. */
  db: Db
  /**
   * Runs the work in one transaction, and again if the database is busy or reports a serialization failure. The work
   * must only await SQL on its `trx` and have no side effects.
   */
  transaction: <Result>(work: (trx: Trx) => Promise<Result>) => Promise<Result>
  apps: AppDirectory
  kms: Kms
  keyring: Keyring
  /** Resources that capabilities opened, by key: `mailer.get(context.ports)`. */
  ports: Registry
  /** The combined contributions of all capabilities, for areas that must not import the list. */
  capabilities: {
    /** Origins that the dialog of this app loads from. */
    sourcesFor: (app: App, reader: Reader) => Promise<Required<PageSources>>
    /** Third-party addresses for the dialog of this app, by name. */
    addressesFor: (app: App) => Readonly<Record<string, string>>
    /** Cloud storage addresses for the app's wallet frame, by recovery method. */
    cloudsFor: (app: App) => Readonly<Record<string, string>>
    /** Returns the API names of enabled settings that no capability implements. */
    unbuiltSettings: (config: Partial<StoredConfig>) => readonly string[]
    /** Third parties that the server calls. */
    thirdParties: ThirdParty[]
    /** Migrations of the capabilities. */
    migrations: Migrations
    /** Audit events that users see in the activity of their wallets, by event name. */
    activity: ActivityEvents
    /** Deletes all data of a user except the row in `users`. */
    forget: Forget
  }
  /**
   * Returns undefined if the token is invalid or expired, or if its session has ended (unless `any session` is
   * accepted). The caller checks app, scope and proof.
   */
  verifyToken: (token: string, of?: 'living session' | 'any session') => Promise<VerifiedToken | undefined>
}
