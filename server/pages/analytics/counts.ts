/** Hourly counts of analytics events, by app, event and login method. */
import { sql } from 'kysely'
import { compileQuery, type Placeholder } from '../../kernel/db/compile-query.ts'
import type { Migration } from '../../kernel/db/migrations/migration.ts'
import type { Row } from '../../kernel/db/schema.ts'
import type { Reader } from '../../kernel/ports.ts'

type AnalyticsCountTable = {
  app_id: string
  /** The start of the hour. */
  hour: number
  event_name: string
  /** The login method, or an empty text for events without one. */
  method: string
  /** Concurrent calls increment different rows of an hour. */
  slot: number
  count: number
}

declare module '../../kernel/db/schema.ts' {
  interface Database {
    analytics_counts: AnalyticsCountTable
  }
}

export const countTable: Migration = {
  async up({ schema }) {
    await schema
      .createTable('analytics_counts')
      .addColumn('app_id', 'text', (column) => column.notNull())
      .addColumn('hour', 'bigint', (column) => column.notNull())
      .addColumn('event_name', 'text', (column) => column.notNull())
      .addColumn('method', 'text', (column) => column.notNull())
      .addColumn('slot', 'bigint', (column) => column.notNull())
      .addColumn('count', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('analytics_counts_key', ['app_id', 'hour', 'event_name', 'method', 'slot'])
      .execute()
    await schema.createIndex('analytics_counts_by_age').on('analytics_counts').column('hour').execute()
  },
}

type CountedEvent = Omit<Row<'analytics_counts'>, 'count'>

const increment = compileQuery((db, value: Placeholder<CountedEvent>) =>
  db
    .insertInto('analytics_counts')
    .values({
      app_id: value('app_id'),
      hour: value('hour'),
      event_name: value('event_name'),
      method: value('method'),
      slot: value('slot'),
      count: sql.lit(1),
    })
    .onConflict((conflict) =>
      conflict
        .columns(['app_id', 'hour', 'event_name', 'method', 'slot'])
        .doUpdateSet((row) => ({ count: row('analytics_counts.count', '+', row.lit(1)) })),
    ),
)
/** Counts an event. A single statement, so concurrent processes lose no increment. */
export async function countEvent(reader: Reader, event: CountedEvent): Promise<void> {
  await increment(reader, event)
}

export type EventCount = { hour: number; event: string; method: string | null; count: number }

/** Returns the counts of an app by hour, for hours that start in the given range, oldest first. */
export async function readEventCounts(
  reader: Reader,
  { appId, since, until }: { appId: string; since: number; until: number },
): Promise<EventCount[]> {
  const rows = await reader
    .selectFrom('analytics_counts')
    .select(['hour', 'event_name', 'method'])
    .select(({ fn, cast }) => cast<number>(fn.sum('count'), 'bigint').as('count'))
    .where('app_id', '=', appId)
    .where('hour', '>=', since)
    .where('hour', '<', until)
    .groupBy(['hour', 'event_name', 'method'])
    .orderBy('hour')
    .orderBy('event_name')
    .orderBy('method')
    .execute()
  return rows.map(({ hour, event_name: event, method, count }) => ({
    hour,
    event,
    method: method === '' ? null : method,
    count,
  }))
}
