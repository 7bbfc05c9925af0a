/** Statistics of apps: stores the counts of this process, and reads them by hour or day. */
import { type AppMetric, appMetricNames } from '@latchkey/protocol/admin'
import { sql } from 'kysely'
import { type AppCount, countForApp, takeAppCounts } from '../../kernel/app-counts.ts'
import { compileQuery, type Placeholder } from '../../kernel/db/compile-query.ts'
import { type Clock, type Db, nowSeconds, type Reader } from '../../kernel/ports.ts'

/** The server's own counts share the table with the events of the dialog. Names of events have no dot. */
const prefix = 'server.'
/** Each process stores a series every few seconds, so concurrent processes hardly wait for each other. */
const slot = 0

type StoredCount = { appId: string; hour: number; event: string; label: string; count: number }
const addCount = compileQuery((db, value: Placeholder<StoredCount>) =>
  db
    .insertInto('analytics_counts')
    .values({
      app_id: value('appId'),
      hour: value('hour'),
      event_name: value('event'),
      method: value('label'),
      slot,
      count: value('count'),
    })
    .onConflict((conflict) =>
      conflict
        .columns(['app_id', 'hour', 'event_name', 'method', 'slot'])
        .doUpdateSet((row) => ({ count: row('analytics_counts.count', '+', row.ref('excluded.count')) })),
    ),
)

/** Stores the counts of this process. Those that cannot be stored are kept for the next time. */
export async function storeAppCounts(db: Db, clock: Clock): Promise<void> {
  const counts = takeAppCounts()
  const now = nowSeconds(clock)
  for (const [index, { appId, metric, label, count }] of counts.entries()) {
    try {
      await addCount(db, { appId, hour: now - (now % 3_600), event: prefix + metric, label, count })
    } catch (error) {
      for (const unsaved of counts.slice(index)) putBack(unsaved)
      throw error
    }
  }
}

const putBack = ({ appId, metric, label, count }: AppCount) => countForApp(appId, metric, label, count)

type StatsFilter = {
  appId: string
  metrics?: AppMetric[]
  /** The first second to include, and the first one to exclude. */
  from: number
  to: number
  bucketSeconds: 3_600 | 86_400
}
export type StatsRow = { metric: AppMetric; by: string; at: number; count: number }

/** Returns the counts by bucket, oldest first. */
export async function readStats(
  reader: Reader,
  { appId, metrics = appMetricNames, from, to, bucketSeconds }: StatsFilter,
): Promise<StatsRow[]> {
  const start = sql<number>`hour - hour % ${sql.lit(bucketSeconds)}`
  const rows = await reader
    .selectFrom('analytics_counts')
    .select(['event_name', 'method'])
    .select(start.as('at'))
    .select(({ fn, cast }) => cast<number>(fn.sum('count'), 'bigint').as('count'))
    .where('app_id', '=', appId)
    .where('hour', '>=', from)
    .where('hour', '<', to)
    .where(
      'event_name',
      'in',
      metrics.map((metric) => prefix + metric),
    )
    .groupBy(['event_name', 'method', start])
    .orderBy('at')
    .orderBy('event_name')
    .orderBy('method')
    .execute()
  return rows.map(({ event_name: event, method, at, count }) => ({
    metric: event.slice(prefix.length) as AppMetric,
    by: method,
    at,
    count,
  }))
}
