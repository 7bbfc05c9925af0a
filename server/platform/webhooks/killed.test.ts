/** Kills servers with SIGKILL while they deliver events, and lets others take over. */
import { mkdtempSync, rmSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createApp } from '../../identity/apps/manage.ts'
import { recordAudit } from '../../identity/audit/audit.ts'
import { withOutboxTables } from '../../identity/outbox/outbox.ts'
import { collectMigrations } from '../../kernel/capability.ts'
import { forEachEngine } from '../../kernel/db/test-engines.ts'
import { openKms } from '../../kernel/keys/keys.ts'
import { guestCapability } from '../../testing/guest-capability.ts'
import { freePort, programs } from '../../testing/program.ts'
import { bundleProgram } from '../../testing/program-bundle.ts'
import { createSecret, formatSecret, openSecret } from './signing.ts'
import { insertWebhook } from './store.ts'
import { type Receiver, startReceiver } from './testing/receiver.ts'

// The test starts three programs.
vi.setConfig({ testTimeout: 120_000 })

const appId = 'a'.repeat(25)
const clock = { nowMs: Date.now }
const servers = programs()
const serverProgram = await bundleProgram('server/testing/guest-server.ts')
let folder = ''
let receiver: Receiver
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-webhooks-'))
  receiver = await startReceiver()
})
afterEach(async () => {
  await servers.killAll()
  await receiver.stop()
  rmSync(folder, { recursive: true, force: true })
})

forEachEngine(
  (database, _engine, url) => {
    const masterKeyFile = join('keys', 'master.key')
    async function startServer() {
      const port = await freePort()
      const program = servers.run(serverProgram, [], {
        DATABASE_URL: url(),
        MASTER_KEY_FILE: join(folder, masterKeyFile),
        PORT: String(port),
        DIALOG_ORIGIN: `http://localhost:${port}`,
        GUEST_URL: receiver.url,
        WEBHOOKS_TO_THIS_MACHINE: 'true',
      })
      await program.says('"listening"')
      return program
    }

    /** Creates a webhook with the master key of the servers. Returns its secret. */
    async function createWebhook(): Promise<string> {
      const kms = await openKms({ database: database(), masterKeyFile: join(folder, masterKeyFile), clock })
      const secret = await createSecret(kms, appId, 'whk_1')
      await database().transaction((trx) =>
        insertWebhook(trx, clock, {
          id: 'whk_1',
          appId,
          secret,
          url: receiver.url,
          description: '',
          events: '',
        }),
      )
      return formatSecret(await openSecret(kms, secret)).secret
    }

    const publish = (userId: string) =>
      database().transaction((trx) =>
        recordAudit(trx, clock, { event: 'user.deleted', appId, userId, sessionId: null, details: {} }),
      )

    /** Ends the leases of killed servers at once, because the test does not wait for them. */
    const endLeases = () =>
      withOutboxTables(database().db)
        .updateTable('webhook_deliveries')
        .set({ due_at_ms: 0, lease: null })
        .where('state', '=', 'pending')
        .execute()

    test('each event arrives at least once, and no other, although both servers are killed', async () => {
      await createApp(database().db, clock, {
        id: appId,
        name: 'Guests',
        origins: [],
        environment: 'development',
      })
      const first = await startServer()
      const secret = await createWebhook()
      const second = await startServer()

      /** Requests without an answer yet. */
      const open: ServerResponse[] = []
      let holds = true
      const accepted = new Set<string>()
      let reached: { count: number; resolve: () => void } | undefined
      const received = (count: number) =>
        new Promise<void>((resolve) => {
          reached = { count, resolve }
          if (receiver.received.length >= count) resolve()
        })
      const accept = (answer: ServerResponse, id: string) => {
        accepted.add(id)
        answer.writeHead(204).end()
      }
      receiver.setReply((answer, { headers }) => {
        if (holds) open.push(answer)
        else accept(answer, String(headers['webhook-id']))
        if (reached && receiver.received.length >= reached.count) reached.resolve()
      })

      const users = Array.from({ length: 60 }, (_, index) => `usr_${index}`)
      for (const user of users) await publish(user)
      // Each server has 16 attempts to one webhook at a time.
      await received(32)
      await first.kill()
      // The killed server got no answer, so these events arrive again.
      for (const answer of open) answer.destroy()
      await second.kill()
      await endLeases()
      holds = false
      await startServer()
      const events = await withOutboxTables(database().db).selectFrom('webhook_events').select('id').execute()
      const isDone = async () => {
        const states = await withOutboxTables(database().db)
          .selectFrom('webhook_deliveries')
          .select('state')
          .execute()
        return states.every(({ state }) => state === 'delivered')
      }
      await vi.waitUntil(isDone, { timeout: 60_000, interval: 50 })

      const ids = receiver.received.map(({ headers }) => String(headers['webhook-id']))
      expect([...new Set(ids)].sort()).toEqual(events.map(({ id }) => id).sort())
      expect([...accepted].sort()).toEqual(events.map(({ id }) => id).sort())
      expect(ids.length).toBeGreaterThanOrEqual(users.length + 32)
      const receivedUsers = new Set<string>()
      for (const { headers, body } of receiver.received) {
        new Webhook(secret).verify(body, headers as Record<string, string>)
        receivedUsers.add(JSON.parse(body).data.user_id)
      }
      expect([...receivedUsers].sort()).toEqual(users.sort())
    })
  },
  { migrations: collectMigrations([guestCapability()]) },
)
