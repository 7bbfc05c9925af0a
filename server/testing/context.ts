/** A server context without sockets, for tests of areas: real database, real keys, mails in a list. */
import { randomBytes } from 'node:crypto'
import { recovery } from '../account/recovery/capability.ts'
import { verification } from '../account/verification/capability.ts'
import { mfaSms } from '../account/verification/sms/capability.ts'
import { mfaTotp } from '../account/verification/totp/capability.ts'
import { createAppDirectory } from '../identity/apps/apps.ts'
import { createApp, type NewApp } from '../identity/apps/manage.ts'
import { type Mail, mailer } from '../integrations/mail/mail.ts'
import { smsTexter } from '../integrations/sms/sms.ts'
import { backgroundTasks } from '../kernel/background-tasks.ts'
import {
  type Capability,
  type CommandContext,
  collectEnvironment,
  combineCapabilities,
  openPorts,
} from '../kernel/capability.ts'
import { parseConfig } from '../kernel/config.ts'
import type { ServerContext } from '../kernel/context.ts'
import type { Database } from '../kernel/db/database.ts'
import { withOutsideAnswers } from '../kernel/db/outside-answers.ts'
import { openKeyring } from '../kernel/keys/keyring.ts'
import { createEmbeddedKms } from '../kernel/keys/kms.ts'
import { newMasterKey } from '../kernel/keys/master-key.ts'
import { withPepperRetry } from '../kernel/keys/pepper-names.ts'
import { createLog } from '../kernel/log.ts'
import type { Clock } from '../kernel/ports.ts'
import { newRegistry } from '../kernel/registry.ts'
import { countAfterCommit } from '../kernel/telemetry/after-commit.ts'
import { hooks } from '../platform/hooks/capability.ts'
import { providerRequests } from '../platform/provider/requests/capability.ts'
import { capabilities as allCapabilities } from '../start/capabilities.ts'

export type TestContext = ServerContext & {
  clock: ReturnType<typeof movingClock>
  mails: Mail[]
  /** Runs the background tasks that were started since the last call. */
  runBackgroundTasks: () => Promise<void>
}

export type TestContextChanges = Partial<Pick<ServerContext, 'log' | 'config' | 'kms'>> & {
  verifyToken?: (context: () => ServerContext) => ServerContext['verifyToken']
  capabilities?: readonly Capability[]
}

export async function testContext(
  database: Database,
  changes: TestContextChanges = {},
): Promise<TestContext> {
  const { db } = database
  const clock = movingClock()
  const masterKey = newMasterKey()
  const kms = changes.kms ?? createEmbeddedKms(() => [masterKey])
  const keyring = await openKeyring({ db, kms, clock })
  const mails: Mail[] = []
  const { verifyToken, capabilities = allCapabilities } = changes
  const { config = parseConfig({}, collectEnvironment(capabilities)), log = createLog('silent') } = changes
  const ports = newRegistry('the ports of a test')
  mailer.set(ports, {
    async send(mail) {
      mails.push(mail)
    },
  })
  // Tests of SMS replace it.
  smsTexter.set(ports, undefined)
  const waiting: (() => Promise<void>)[] = []
  backgroundTasks.set(ports, { start: (_name, task) => waiting.push(task) })
  // The ports of these capabilities need no third party.
  openPorts([verification, mfaTotp, mfaSms, recovery, providerRequests, hooks], { config, clock, log }, ports)
  const transaction = withOutsideAnswers(countAfterCommit(database.transaction))
  const context: TestContext = {
    config,
    clock,
    log,
    db,
    transaction: (work) => withPepperRetry(keyring, () => transaction(work)),
    kms,
    keyring,
    apps: createAppDirectory({ db, clock, keyring }),
    ports,
    capabilities: combineCapabilities(capabilities, config),
    verifyToken: verifyToken ? verifyToken(() => context) : async () => undefined,
    mails,
    async runBackgroundTasks() {
      for (const task of waiting.splice(0)) await task()
    },
  }
  return context
}

/** Returns the environment of a command that runs for this server. */
export const createCommandContext = ({ clock, config, kms }: ServerContext): CommandContext => ({
  clock,
  dialogOrigin: config.dialogOrigin,
  readConfig: () => config,
  openKms: async () => kms,
})

/** Creates a separate app for a test. */
export async function testApp(context: ServerContext, changes: Partial<NewApp> = {}) {
  const app = await createApp(context.db, context.clock, {
    id: randomBytes(32).toString('hex').slice(0, 25),
    name: 'Fieldnotes',
    environment: 'development',
    origins: ['http://demo.localhost:4010'],
    ...changes,
  })
  const found = await context.apps.find(app.id)
  if (!found) throw new Error('The created app was not found')
  return found
}

/** A clock that only the test advances. */
export function movingClock(startMs = Date.UTC(2026, 0, 1)) {
  let nowMs = startMs
  return {
    nowMs: () => nowMs,
    advanceMs(byMs: number) {
      nowMs += byMs
    },
    advanceSeconds(bySeconds: number) {
      nowMs += bySeconds * 1_000
    },
  } satisfies Clock & Record<string, unknown>
}
