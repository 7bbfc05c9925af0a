/** An app: who may embed the dialog, and how the dialog behaves there. */
import { createPublicKey } from 'node:crypto'
import { isOriginListed } from '@latchkey/protocol'
import * as v from 'valibot'
import { appLimits } from '../../kernel/app-settings/limits.ts'
import {
  defaultStoredConfig,
  type StoredConfig,
  storedConfigSchema,
} from '../../kernel/app-settings/stored-config.ts'
import type { Keyring } from '../../kernel/keys/keys.ts'
import type { App, AppDirectory, Clock, Db } from '../../kernel/ports.ts'
import { setCallApp } from '../../kernel/telemetry/current-call.ts'
import { storedNoPrompt } from './approval-rules.ts'
import { type AppRow, appById } from './store.ts'

export type { App, AppDirectory } from '../../kernel/ports.ts'
export { isPermit } from './approval-rules.ts'
export { normalIdentifier } from './identifiers.ts'
export { givePlaceBack, takePlace } from './places.ts'
export { refusedCall } from './refused-calls.ts'
export { appById } from './store.ts'

export const originsOf = (app: Pick<AppRow, 'allowed_origins'>): readonly string[] =>
  v.parse(v.array(v.string()), JSON.parse(app.allowed_origins))

/** A setting that came after the app is as a new app has it. */
export const configOf = ({ config }: Pick<AppRow, 'config'>): StoredConfig =>
  v.parse(
    v.pipe(
      v.string(),
      v.parseJson(),
      v.record(v.string(), v.unknown()),
      v.transform((stored) => ({
        ...defaultStoredConfig,
        ...stored,
        noPrompt: storedNoPrompt(stored.noPrompt ?? defaultStoredConfig.noPrompt),
      })),
      storedConfigSchema,
    ),
    config,
  )

const originsSchema = v.array(v.string())

/** Every call names an app, so its row is not read and parsed anew for each of them. */
export function createAppDirectory(sources: { db: Db; clock: Clock; keyring: Keyring }): AppDirectory {
  const { db, clock, keyring } = sources
  const known = new Map<string, { app: Promise<App | undefined>; atMs: number }>()
  function read(id: string): Promise<App | undefined> {
    const entry = known.get(id)
    if (entry && Math.abs(clock.nowMs() - entry.atMs) < appLimits.directoryFreshMs) return entry.app
    // Ids that nobody registered can be made up without end.
    if (known.size >= appLimits.directorySize) known.clear()
    const app = appById(db, id).then((row) => row && appFrom(row, keyring))
    known.set(id, { app, atMs: clock.nowMs() })
    app.catch(() => known.delete(id))
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

export function appFrom(row: AppRow, keyring: Keyring): App {
  const {
    frameApprovalsUsdPerDay,
    frameApprovalsUsdPerDayUnseen,
    frameMessagesPerDay,
    cardCalls,
    cardTypedData,
    noPrompt,
    confirmRedirectLogins,
    newMethodHours,
    testAccounts,
    ...stored
  } = configOf(row)
  const allowedOrigins = v.parse(originsSchema, JSON.parse(row.allowed_origins))
  return {
    id: row.id,
    name: row.name,
    config: {
      ...stored,
      cardTypedData,
      id: row.id,
      name: row.name,
      verificationKey: verificationKeyOf(keyring),
      createdAt: row.created_at,
      updatedAt: row.updated_at,
      // The operator's list of origins has a column of its own, which decides.
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
    login: { confirmRedirectLogins, newMethodHours, testAccounts },
    allowedOrigins,
    environment: row.environment,
    sessionMode: row.session_mode,
    maxUsers: row.max_users,
  }
}

/** The present signing key as PEM. Whoever verifies tokens should take the key set, which knows the next too. */
const verificationKeyOf = (keyring: Keyring): string =>
  createPublicKey(keyring.signingKey().privateKey).export({ type: 'spki', format: 'pem' }).toString()

export const mayEmbed = (app: App, origin: string): boolean => isOriginListed(origin, app.allowedOrigins)

export type AppStatus = 'ok' | 'unknown_app' | 'origin_not_allowed'

export function statusFor(app: App | undefined, origin: string): AppStatus {
  if (!app) return 'unknown_app'
  return mayEmbed(app, origin) ? 'ok' : 'origin_not_allowed'
}

/**
 * The fixed code of an address or a number that the operator has named for tests, in a development app alone. A number
 * may be written with spaces. No code is sent there, since whoever knows the code needs none.
 */
export function fixedCodeOf(app: Pick<App, 'login' | 'environment'>, identifier: string): string | undefined {
  if (app.environment !== 'development') return undefined
  const written = identifier.replaceAll(' ', '')
  return app.login.testAccounts.find((account) => account.identifier === written)?.code
}
