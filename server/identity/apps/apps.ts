/** Apps: their settings, and the origins that may embed the dialog. */
import { createPublicKey } from 'node:crypto'
import { isOriginListed } from '@latchkey/protocol'
import { appLimits } from '../../kernel/app-settings/limits.ts'
import type { Keyring } from '../../kernel/keys/keys.ts'
import type { App, AppDirectory, Clock, Db } from '../../kernel/ports.ts'
import { setCallApp } from '../../kernel/telemetry/current-call.ts'
import { type AppRow, appById } from './store.ts'
import { parseOrigins, parseStoredConfig } from './stored-app.ts'

export type { App, AppDirectory } from '../../kernel/ports.ts'
export { isPermit } from './approval-rules.ts'
export { normalizeIdentifier } from './identifiers.ts'
export {
  changeAllowlist,
  changeSettings,
  createApp,
  describeApp,
  previewSettings,
  type ServerSupport,
} from './manage.ts'
export { releasePlace, reservePlace } from './places.ts'
export { AppRefusal } from './refusal.ts'
export { findRefusedCall } from './refused-calls.ts'
export { type AppRow, appById, lockApp, readAllowlistPage, readAppsPage } from './store.ts'
export { parseOrigins, parseStoredConfig } from './stored-app.ts'
export { findWidenedSettings, harmlessSettings } from './widening.ts'

/** Creates the app cache. Every call names an app, so rows are cached briefly instead of being read each time. */
export function createAppDirectory(sources: { db: Db; clock: Clock; keyring: Keyring }): AppDirectory {
  const { db, clock, keyring } = sources
  const cache = new Map<string, { app: Promise<App | undefined>; atMs: number }>()
  function read(id: string): Promise<App | undefined> {
    const entry = cache.get(id)
    if (entry && Math.abs(clock.nowMs() - entry.atMs) < appLimits.directoryFreshMs) return entry.app
    // Bounds the cache, because callers can invent any number of ids.
    if (cache.size >= appLimits.directorySize) cache.clear()
    const app = appById(db, id).then((row) => row && toApp(row, keyring))
    cache.set(id, { app, atMs: clock.nowMs() })
    app.catch(() => cache.delete(id))
    return app
  }
  return {
    async find(id) {
      const app = await read(id)
      if (app) setCallApp(app.id)
      return app
    },
  }
}

export function toApp(row: AppRow, keyring: Keyring): App {
  const {
    frameApprovalsUsdPerDay,
    frameApprovalsUsdPerDayUnseen,
    frameMessagesPerDay,
    cardCalls,
    cardTypedData,
    noPrompt,
    confirmRedirectLogins,
    newMethodHours,
    newDeviceMails,
    testAccounts,
    tokenMetadataKeys,
    sponsorLimits,
    ...stored
  } = parseStoredConfig(row)
  const allowedOrigins = [...parseOrigins(row)]
  return {
    id: row.id,
    name: row.name,
    config: {
      ...stored,
      cardTypedData,
      id: row.id,
      name: row.name,
      verificationKey: getVerificationKey(keyring),
      createdAt: row.created_at,
      updatedAt: row.updated_at,
      // The origin list has its own column, which takes precedence.
      allowedDomains: allowedOrigins,
    },
    approvals: {
      frameApprovalsUsdPerDay,
      frameApprovalsUsdPerDayUnseen,
      frameMessagesPerDay,
      cardCalls,
      cardTypedData,
      noPrompt,
    },
    sponsorLimits,
    login: { confirmRedirectLogins, newMethodHours, newDeviceMails, testAccounts, tokenMetadataKeys },
    allowedOrigins,
    environment: row.environment,
    sessionMode: row.session_mode,
    maxUsers: row.max_users,
    storesEvents: row.analytics === 'events',
  }
}

/** Returns the current signing key as PEM. Verifiers should prefer the JWKS, which also contains the next key. */
const getVerificationKey = (keyring: Keyring): string =>
  createPublicKey(keyring.signingKey().privateKey).export({ type: 'spki', format: 'pem' }).toString()

export const mayEmbed = (app: App, origin: string): boolean => isOriginListed(origin, app.allowedOrigins)

export type AppStatus = 'ok' | 'unknown_app' | 'origin_not_allowed'

export function getAppStatus(app: App | undefined, origin: string): AppStatus {
  if (!app) return 'unknown_app'
  return mayEmbed(app, origin) ? 'ok' : 'origin_not_allowed'
}

/**
 * Returns the fixed code of a test account, in development apps only. Spaces in the identifier are ignored. No code is
 * sent to a test account.
 */
export function findFixedCode(
  app: Pick<App, 'login' | 'environment'>,
  identifier: string,
): string | undefined {
  if (app.environment !== 'development') return undefined
  const written = identifier.replaceAll(' ', '')
  return app.login.testAccounts.find((account) => account.identifier === written)?.code
}
