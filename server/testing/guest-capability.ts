/**
 * A capability for tests only: a login method with a third party that uses every kind of contribution. Tests add it to
 * the list; no other code refers to it.
 */
import { authAnswerSchema, type Routes } from '@latchkey/protocol/api'
import * as v from 'valibot'
import { type Grant, startSession } from '../identity/sessions/sessions.ts'
import { findOrCreateUser } from '../identity/users/users.ts'
import { consume, tooManyRequests } from '../kernel/attempts/attempts.ts'
import { type Capability, port } from '../kernel/capability.ts'
import type { ServerContext } from '../kernel/context.ts'
import type { Migration } from '../kernel/db/migrations/migration.ts'
import { environmentPart } from '../kernel/environment.ts'
import { type Endpoint, replayedEndpoint } from '../kernel/http/endpoint.ts'
import { page } from '../kernel/http/pages/page.ts'
import { randomId } from '../kernel/ids.ts'
import { nowSeconds, type Trx } from '../kernel/ports.ts'
import { registryKey } from '../kernel/registry.ts'
import { authAnswer } from '../login/proven.ts'

const row = {
  method: 'POST',
  auth: 'none',
  forks: true,
  effect: 'changes, replayed',
  appHeader: true,
  body: v.object({ name: v.string() }),
  output: authAnswerSchema,
} as const
const guestRoutes = {
  login: { ...row, path: '/guest/login' },
  /** The same with a request that must not be repeated. */
  loginOnce: { ...row, path: '/guest/login_once' },
} as const satisfies Routes

/** The steps at which a test may pause the process before it is killed. */
export const stops = ['reserve', 'ask', 'answered', 'decide', 'perform', 'performed', 'render'] as const
export type Stop = (typeof stops)[number]

const guestEnvironment = environmentPart(
  {
    GUEST_URL: v.pipe(v.string(), v.url('must be a URL')),
    /** `yes`: a guest whose name ends in `stops at decide` pauses at that step. */
    GUEST_STOPS: v.optional(v.picklist(['yes', 'no'], 'must be yes or no'), 'no'),
  },
  {
    GUEST_URL: 'The address of the third party.',
    GUEST_STOPS: 'Whether calls can pause.',
  },
)

/** The client of the third party. */
type ThirdParty = { ask: (id: string, signal: AbortSignal) => Promise<number> }
const thirdParty = registryKey<ThirdParty>('the third party of the guest')
const thirdPartyAnswer = v.object({ id: v.string(), number: v.number(), answer: v.literal('yes') })

const thirdPartyAt = (url: string): ThirdParty => ({
  async ask(id, signal) {
    const answer = await fetch(`${url}/unreliable/asks`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ id }),
      signal,
    })
    if (!answer.ok) throw new Error(`The third party answered ${answer.status}`)
    return v.parse(thirdPartyAnswer, await answer.json()).number
  },
})

type Visits = {
  guest_visits: { ticket: string; user_id: string; name: string; answer: number; expires_at: number }
}
const visitsIn = (trx: Trx) => trx.withTables<Visits>()

const guestTables: Migration = {
  async up(db) {
    await db.schema
      .createTable('guest_visits')
      .addColumn('ticket', 'text', (column) => column.primaryKey())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('answer', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute()
  },
}

type Ticket = { ticket: string }
type Visit = Ticket & { grant: Grant; isNewUser: boolean }

async function pauseAt(stop: Stop, name: string, { config }: ServerContext): Promise<void> {
  if (guestEnvironment.read(config).GUEST_STOPS === 'no' || !name.endsWith(`stops at ${stop}`)) return
  process.stdout.write(`${name}\n`)
  await new Promise<never>(() => {})
}

const guestLogin = (
  route: (typeof guestRoutes)[keyof typeof guestRoutes],
  ask: { repeatable: boolean; deadlineMs: number },
): Endpoint =>
  replayedEndpoint(route, {
    reserve: async (trx, { app, body, proof }, context, before: Ticket | undefined) => {
      // Reject everything that needs no answer before the third party is asked.
      proof()
      const key = `guest\n${app.id}\n${body.name}`
      const quotas = [{ limit: 5, windowSeconds: 600 }]
      const allowance = await consume(trx, { key, quotas, nowSeconds: nowSeconds(context.clock) })
      if (!allowance.allowed) throw tooManyRequests(allowance.retryAfterSeconds)
      await pauseAt('reserve', body.name, context)
      return before ?? { ticket: randomId() }
    },
    ask: {
      ...ask,
      run: async ({ ticket }, { body }, context, signal) => {
        await pauseAt('ask', body.name, context)
        const number = await thirdParty.get(context.ports).ask(ticket, signal)
        await pauseAt('answered', body.name, context)
        return number
      },
    },
    decide: async (trx, call, context, { reserved: { ticket }, answer }): Promise<Visit> => {
      const { app, body } = call
      const user = await findOrCreateUser(trx, context, app, {
        type: 'custom_auth',
        identifier: body.name,
        profile: { customUserId: body.name },
      })
      if (user.type === 'refused') throw new Error('Guests are never refused')
      await visitsIn(trx)
        .insertInto('guest_visits')
        .values({
          ticket,
          user_id: user.userId,
          name: body.name,
          answer,
          expires_at: nowSeconds(context.clock) + 60,
        })
        .execute()
      const owner = { appId: app.id, userId: user.userId }
      const grant = await startSession(trx, context, owner, call.browser())
      await pauseAt('decide', body.name, context)
      return { ticket, grant, isNewUser: user.isNewUser }
    },
    perform: async ({ ticket }, { body }, context) => {
      await pauseAt('perform', body.name, context)
      await thirdParty.get(context.ports).ask(`thanks for ${ticket}`, AbortSignal.timeout(10_000))
      await pauseAt('performed', body.name, context)
    },
    render: async ({ grant, isNewUser }, call, context) => {
      await pauseAt('render', call.body.name, context)
      return authAnswer({ ...call, body: {} }, context, grant, isNewUser)
    },
  })

/** `deadlineMs` limits the request to the third party. */
export const guestCapability = (deadlineMs = 10_000): Capability => ({
  name: 'guest',
  endpoints: [
    guestLogin(guestRoutes.login, { repeatable: true, deadlineMs }),
    guestLogin(guestRoutes.loginOnce, { repeatable: false, deadlineMs }),
  ],
  pages: [
    page({
      site: 'dialog',
      method: 'GET',
      path: '/guest/start/{ticket}',
      openedBy: 'same origin',
      answer: ({ params }, { config }) => ({
        type: 'redirect',
        to: `${guestEnvironment.read(config).GUEST_URL}/authorize?state=${params.ticket}`,
      }),
    }),
    page({
      site: 'dialog',
      method: 'POST',
      path: '/guest/callback',
      openedBy: 'anybody',
      policy: "default-src 'none'; style-src 'self'; frame-ancestors 'none'",
      form: v.object({ state: v.pipe(v.string(), v.nonEmpty()), display_name: v.string() }),
      answer: ({ form }) => ({ type: 'html', html: `<!doctype html><title>Welcome</title>${form.state}` }),
    }),
  ],
  userRows: [{ table: 'guest_visits', goes: 'with the account', by: ['user_id'] }],
  expiryRules: [{ table: 'guest_visits', key: ['ticket'], column: 'expires_at', retentionSeconds: 0 }],
  restored: { drops: ['guest_visits'] },
  environment: guestEnvironment,
  ports: [
    port(thirdParty, ({ config }) => ({ value: thirdPartyAt(guestEnvironment.read(config).GUEST_URL) })),
  ],
  sources: (app, config) => {
    if (!app.config.allowedNativeAppIds.includes('guest')) return {}
    const { origin } = new URL(guestEnvironment.read(config).GUEST_URL)
    return { script: [origin], frame: [origin], connect: [origin] }
  },
  migrations: { '0001-visits': guestTables },
  // One value of a list setting, which no real capability claims.
  settings: ['allowedNativeAppIds.guest'],
})
