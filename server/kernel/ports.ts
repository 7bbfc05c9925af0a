/** What the rules of an area get from outside, so that a test passes its own. */
import type { AppConfig } from '@latchkey/protocol'
import type { Kysely, Transaction } from 'kysely'
import type { ApprovalSettings } from './app-settings/approval-settings.ts'
import type { LoginSettings } from './app-settings/login-settings.ts'
import type { Database } from './db/schema.ts'

export type Clock = { nowMs: () => number }
export const nowSeconds = (clock: Clock) => Math.floor(clock.nowMs() / 1_000)

/** Inside a transaction only its own handle is used, and nothing but SQL is awaited: it may run again. */
export type Trx = Transaction<Database>
export type Db = Kysely<Database>
export type Reader = Db | Trx

/**
 * Wraps secrets for the database. The purpose separates keys: what was wrapped for one does not open for
 * another. The answer carries the id of the key that wrapped it. A remote service may stand behind it.
 */
export type Kms = {
  wrap(purpose: KmsPurpose, secret: Uint8Array, context: Uint8Array): Promise<string>
  unwrap(purpose: KmsPurpose, wrapped: string, context: Uint8Array): Promise<Uint8Array>
}
export type KmsPurpose = 'auth-share' | 'recovery-share' | 'totp-secret' | 'server-key'

/** An app: who may embed the dialog, and how the dialog behaves there. */
export type App = {
  id: string
  name: string
  /** What everybody may read. */
  config: AppConfig
  approvals: ApprovalSettings
  login: LoginSettings
  allowedOrigins: readonly string[]
  environment: 'development' | 'production'
  sessionMode: 'storage' | 'cookie'
  maxUsers: number | null
}

export type AppDirectory = {
  /** Finds the app as it was at most a second ago. */
  find: (id: string) => Promise<App | undefined>
}

export type LeavingUser = {
  appId: string
  userId: string
  /**
   * The identifiers of the user's accounts, and those that capabilities add: where codes are sent, and what a browser
   * is known by.
   */
  identifiers: readonly string[]
  nowSeconds: number
}
export type Forget = (trx: Trx, user: LeavingUser) => Promise<void>
