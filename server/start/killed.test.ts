/**
 * Kills a process during calls and lets another one take over, with real programs and a real third party.
 *
 * A guest whose name ends in `stops at …` pauses at that step of its call in the process that is killed. The calls are
 * then repeated with their request ids in a new process on the same database. The test ends all leases, to avoid
 * waiting.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createApp } from '../identity/apps/manage.ts'
import { browserKey } from '../identity/sessions/testing/browser-key.ts'
import { collectMigrations } from '../kernel/capability.ts'
import { forEachEngine } from '../kernel/db/test-engines.ts'
import { guestCapability, type Stop, stops } from '../testing/guest-capability.ts'
import { freePort, programs } from '../testing/program.ts'
import { bundleProgram } from '../testing/program-bundle.ts'
import { startUnreliableParty } from '../testing/unreliable-party.ts'

// Each test starts two or three programs.
vi.setConfig({ testTimeout: 60_000 })

const appId = 'a'.repeat(25)
const servers = programs()
const thirdParty = await startUnreliableParty()
const guestServer = await bundleProgram('server/testing/guest-server.ts')
let folder = ''
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-killed-'))
  await thirdParty.reset()
})
afterEach(async () => {
  await servers.killAll()
  rmSync(folder, { recursive: true, force: true })
})

const kinds = ['repeatable', 'once'] as const
type Kind = (typeof kinds)[number]
const paths = { repeatable: '/guest/login', once: '/guest/login_once' } as const

const added = { migrations: collectMigrations([guestCapability()]) }

forEachEngine((database, engine, url) => {
  beforeEach(async () => {
    const clock = { nowMs: Date.now }
    await createApp(database().db, clock, {
      id: appId,
      name: 'Guests',
      origins: [],
      environment: 'development',
    })
  })

  const key = browserKey()
  async function startServer(settings: { stops?: 'yes'; aheadSeconds?: number } = {}) {
    const port = await freePort()
    const origin = `http://localhost:${port}`
    const program = servers.run(guestServer, [], {
      DATABASE_URL: url(),
      MASTER_KEY_FILE: join(folder, 'keys', 'master.key'),
      PORT: String(port),
      DIALOG_ORIGIN: origin,
      GUEST_URL: thirdParty.url,
      GUEST_STOPS: settings.stops ?? 'no',
      CLOCK_AHEAD_SECONDS: String(settings.aheadSeconds ?? 0),
    })
    await program.says('"listening"')
    return {
      ...program,
      async logIn(kind: Kind, name: string) {
        const atSeconds = Math.floor(Date.now() / 1_000)
        const path = `/api/v1${paths[kind]}`
        const requestId = `request-${kind}-${name.replaceAll(' ', '-')}`
        const sent = JSON.stringify({ name })
        const answer = await fetch(origin + path, {
          method: 'POST',
          headers: {
            origin,
            'content-type': 'application/json',
            'latchkey-app-id': appId,
            'latchkey-request-id': requestId,
            dpop: key.prove({ url: origin + path, atSeconds, requestId, body: sent }),
          },
          body: sent,
        })
        const body = await answer.json()
        return {
          status: answer.status,
          code: body.code,
          isNewUser: body.is_new_user,
          session: body.refresh_token,
        }
      },
    }
  }
  type Server = Awaited<ReturnType<typeof startServer>>

  const endLeases = () => database().db.updateTable('request_replays').set({ lease_until_ms: 0 }).execute()

  /** Resolves when the call has reached the step. Its result is ignored. */
  const standAt = async (server: Server, kind: Kind, stop: Stop) => {
    const name = `${kind} stops at ${stop}`
    const answered = server.logIn(kind, name).then((answer) => {
      throw new Error(`It did not stop at ${stop}: ${JSON.stringify(answer)}`)
    })
    answered.catch(() => {})
    await Promise.race([server.says(name), answered])
  }
  const retry = (server: Server, kind: Kind, stop: Stop) => server.logIn(kind, `${kind} stops at ${stop}`)

  /** Returns how often the third party was asked and thanked for the visits that were stored. */
  const countAsks = async (kind: Kind, stop: Stop) => {
    const { asked } = await thirdParty.readRequests()
    const rows = await database()
      .db.withTables<{ guest_visits: { ticket: string; name: string } }>()
      .selectFrom('guest_visits')
      .select('ticket')
      .where('name', '=', `${kind} stops at ${stop}`)
      .execute()
    return rows.map(({ ticket }) => ({ asked: asked[ticket], thanked: asked[`thanks for ${ticket}`] }))
  }

  const loggedIn = { status: 200, isNewUser: true }
  const unknown = { status: 400, code: 'outcome_unknown' }

  describe('killed with calls at every step outside of transactions', () => {
    const outside = stops.filter((stop) => stop !== 'reserve' && stop !== 'decide')

    test('after a kill, each call gets the right result from a retry, and non-repeatable asks are not repeated', async () => {
      const killed = await startServer({ stops: 'yes' })
      for (const kind of kinds) for (const stop of outside) await standAt(killed, kind, stop)
      const before = await thirdParty.readRequests()
      await killed.kill()
      await endLeases()
      const next = await startServer()
      const results: Record<string, unknown> = {}
      for (const kind of kinds) {
        for (const stop of outside) {
          const result = await retry(next, kind, stop)
          results[`${kind}: ${stop}`] = { ...result, visits: await countAsks(kind, stop) }
        }
      }
      expect(results).toMatchObject({
        'repeatable: ask': { ...loggedIn, visits: [{ asked: 1, thanked: 1 }] },
        'repeatable: answered': { ...loggedIn, visits: [{ asked: 2, thanked: 1 }] },
        'repeatable: perform': { ...loggedIn, visits: [{ asked: 1, thanked: 1 }] },
        'repeatable: performed': { ...loggedIn, visits: [{ asked: 1, thanked: 2 }] },
        'repeatable: render': { ...loggedIn, visits: [{ asked: 1, thanked: 1 }] },
        'once: ask': { ...unknown, visits: [] },
        'once: answered': { ...unknown, visits: [] },
        'once: perform': { ...loggedIn, visits: [{ asked: 1, thanked: 1 }] },
        'once: performed': { ...loggedIn, visits: [{ asked: 1, thanked: 2 }] },
        'once: render': { ...loggedIn, visits: [{ asked: 1, thanked: 1 }] },
      })
      // Two repeatable asks were repeated, and four thanks whose success was unknown.
      expect((await thirdParty.readRequests()).total).toBe(before.total + 2 + 2 + 4)
    })
  })

  describe.each(kinds)('killed in a transaction of a call with a %s ask', (kind) => {
    test('a kill during reserve has no effects, and a retry runs everything', async () => {
      const killed = await startServer({ stops: 'yes' })
      await standAt(killed, kind, 'reserve')
      await killed.kill()
      expect(await thirdParty.readRequests()).toMatchObject({ total: 0 })
      await endLeases()
      const next = await startServer()
      expect(await retry(next, kind, 'reserve')).toMatchObject(loggedIn)
      expect(await countAsks(kind, 'reserve')).toEqual([{ asked: 1, thanked: 1 }])
    })

    test('a kill during decide discards the answer', async () => {
      const killed = await startServer({ stops: 'yes' })
      await standAt(killed, kind, 'decide')
      await killed.kill()
      expect(await thirdParty.readRequests()).toMatchObject({ total: 1 })
      await endLeases()
      const next = await startServer()
      const result = await retry(next, kind, 'decide')
      if (kind === 'repeatable') {
        expect(result).toMatchObject(loggedIn)
        expect(await countAsks(kind, 'decide')).toEqual([{ asked: 2, thanked: 1 }])
      } else {
        expect(result).toMatchObject(unknown)
        expect(await countAsks(kind, 'decide')).toEqual([])
        expect(await thirdParty.readRequests()).toMatchObject({ total: 1 })
      }
    })
  })

  describe('two processes on one database', () => {
    test.each(kinds)('a second process waits for the result of the first (%s)', async (kind) => {
      // The clock of its machine is ahead by more than a lease. SQLite only has that clock.
      const aheadSeconds = engine === 'postgres' ? 60 : 0
      const [first, second] = await Promise.all([startServer(), startServer({ aheadSeconds })])
      await thirdParty.setBehaviour('late')
      const one = first.logIn(kind, 'Ada')
      await thirdParty.readRequests(0)
      const other = second.logIn(kind, 'Ada')
      await thirdParty.setBehaviour('right')
      const [asked, waited] = await Promise.all([one, other])
      expect(asked).toMatchObject(loggedIn)
      expect(waited).toEqual(asked)
      // Asked once and thanked once.
      expect(await thirdParty.readRequests()).toMatchObject({ total: 2 })
    })

    test('a second process takes over from a process that was killed during its ask', async () => {
      const [first, second] = await Promise.all([startServer(), startServer()])
      await thirdParty.setBehaviour('never')
      const answers = kinds.map((kind) => first.logIn(kind, 'Ada').catch(() => undefined))
      await thirdParty.readRequests(1)
      await first.kill()
      await Promise.all(answers)
      await endLeases()
      await thirdParty.setBehaviour('right')
      expect(await second.logIn('repeatable', 'Ada')).toMatchObject({ status: 200 })
      expect(await second.logIn('once', 'Ada')).toMatchObject(unknown)
      // Each was asked once, the repeatable one again, and thanked.
      expect(await thirdParty.readRequests()).toMatchObject({ total: 4 })
    })
  })
}, added)
