import * as v from 'valibot'
import { text } from '../entities/primitives.ts'
import { inputTime, time } from './fields.ts'
import type { AdminRoutes } from './route.ts'

/** Each metric with the meaning of its `by`. */
export const appMetrics = {
  logins: 'the login method',
  new_users: 'the type of the first account',
  codes_sent: '`email` or `sms`',
  codes_right: '`email` or `sms`',
  wallets_created: 'the chain type',
  signatures: 'the place of the approval',
} as const
export type AppMetric = keyof typeof appMetrics
export const appMetricNames = Object.keys(appMetrics) as AppMetric[]

const nullableTime = v.nullable(time)

const read = { method: 'GET', scopes: ['stats:read'], effect: 'reads', status: 200 } as const

export const adminStatsRoutes = {
  readStats: {
    ...read,
    path: '/apps/{app}/stats',
    summary:
      'returns counts of an app by hour or day (UTC), oldest first. The last 7 days by day unless set. Periods without events are left out',
    query: v.object({
      metric: v.exactOptional(v.picklist(appMetricNames)),
      bucket: v.exactOptional(v.picklist(['1h', '1d'])),
      from: v.exactOptional(inputTime),
      to: v.exactOptional(inputTime),
    }),
    output: v.object({
      from: time,
      to: time,
      data: v.array(
        v.object({
          metric: v.picklist(appMetricNames),
          /** The login method, account type, channel, chain type or place. */
          by: text,
          /** The start of the period. */
          at: time,
          count: v.number(),
        }),
      ),
    }),
    errors: ['app_not_found'],
  },
  readSystem: {
    ...read,
    path: '/system',
    summary: 'returns the state of the server. The key must be for every app',
    output: v.object({
      release: v.object({ version: text, commit: text }),
      startedAt: time,
      migrations: v.object({ done: v.number(), missing: v.array(text) }),
      /** The running processes. */
      servers: v.array(text),
      keys: v.array(v.object({ purpose: v.picklist(['signing', 'sealing', 'pepper']), createdAt: time })),
      webhooks: v.object({
        /** Deliveries that wait for an attempt, up to 10,000. */
        pending: v.number(),
        oldestDueAt: nullableTime,
        pausedWebhooks: v.number(),
      }),
      providers: v.array(
        v.object({
          /** The environment variable that configures it. */
          variable: text,
          host: text,
          isReachable: v.boolean(),
          /** Why it is not reachable. */
          problem: v.nullable(text),
          checkedAt: time,
        }),
      ),
      /** SHA-256 of each page template that the process serves, in hexadecimal. Null if the page is not built. */
      pages: v.object({ dialog: v.nullable(text), wallet: v.nullable(text) }),
    }),
    errors: ['key_of_one_app'],
  },
} as const satisfies AdminRoutes
