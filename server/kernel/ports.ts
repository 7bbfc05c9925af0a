/** Dependencies that areas receive from outside, so that tests can replace them. */
import type { AppConfig } from '@latchkey/protocol'
import type { Kysely, Transaction } from 'kysely'
import type { ApprovalSettings } from './app-settings/approval-settings.ts'
import type { LoginSettings } from './app-settings/login-settings.ts'
import type { SponsorLimits } from './app-settings/sponsor-settings.ts'
import type { Database } from './db/schema.ts'

export type Clock = { nowMs: () => number }
export const nowSeconds = (clock: Clock) => Math.floor(clock.nowMs() / 1_000)

/** In a transaction, use only its own handle and await only SQL, because it may run again. */
export type Trx = Transaction<Database>
export type Db = Kysely<Database>
export type Reader = Db | Trx

/**
 * Wraps secrets for the database. Purposes separate keys: a secret that was wrapped for one purpose cannot be unwrapped
 * for another. The result contains the id of the wrapping key. May be implemented by a remote service.
 */
export type Kms = {
  wrap(purpose: KmsPurpose, secret: Uint8Array, context: Uint8Array): Promise<string>
  unwrap(purpose: KmsPurpose, wrapped: string, context: Uint8Array): Promise<Uint8Array>
}
export type KmsPurpose = 'auth-share' | 'recovery-share' | 'totp-secret' | 'server-key' | 'webhook-secret'

/** An app: the origins that may embed the dialog, and its settings. */
export type App = {
  id: string
  name: string
  /** The public settings. */
  config: AppConfig
  approvals: ApprovalSettings
  login: LoginSettings
  sponsorLimits: SponsorLimits
  allowedOrigins: readonly string[]
  environment: 'development' | 'production'
  sessionMode: 'storage' | 'cookie'
  maxUsers: number | null
  /** Stores each analytics event besides the hourly counts. */
  storesEvents: boolean
}

export type AppDirectory = {
  /** Returns the app, at most one second stale. */
  find: (id: string) => Promise<App | undefined>
}

export type DeletedUser = {
  appId: string
  userId: string
  /**
   * The identifiers of the user's accounts and those that capabilities add. Codes and known browsers are stored under
   * them.
   */
  identifiers: readonly string[]
  nowSeconds: number
}
export type Forget = (trx: Trx, user: DeletedUser) => Promise<void>
