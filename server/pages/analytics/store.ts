import type { OverdueRows } from '../../kernel/db/cleanup.ts'
import { compileQuery, type Placeholder } from '../../kernel/db/compile-query.ts'
import type { Migration } from '../../kernel/db/migrations/migration.ts'
import type { Row } from '../../kernel/db/schema.ts'
import type { Reader } from '../../kernel/ports.ts'
import { analyticsLimits } from './limits.ts'

type AnalyticsEventTable = {
  id: string
  app_id: string
  event_name: string
  client_id: string | null
  user_id: string | null
  payload: string
  created_at: number
  /** The total bytes of the slot's events up to this one. Retention deletes rows by it. */
  position: number
  /** Null in rows of the first release, which counted by app. */
  slot: string | null
}

/** The total bytes ever stored, by slot (`<app id>/<number>`), or by app in the first release. */
type AnalyticsVolumeTable = { app_id: string; bytes: number }

declare module '../../kernel/db/schema.ts' {
  interface Database {
    analytics_events: AnalyticsEventTable
    analytics_volumes: AnalyticsVolumeTable
  }
}

/** Adds the slot column. The first release writes no slot and may run beside this one during an upgrade. */
export const slotTables: Migration = {
  async up({ schema }) {
    await schema.alterTable('analytics_events').addColumn('slot', 'text').execute()
    await schema
      .createIndex('analytics_of_slot')
      .on('analytics_events')
      .columns(['slot', 'position'])
      .execute()
  },
}

export type Slot = { appId: string; number: number }
export const slotName = ({ appId, number }: Slot) => `${appId}/${number}`
const isSlot = (name: string) => name.includes('/')

/**
 * Returns the position of the next event in its slot. A new slot starts at the app's counter from the first release,
 * because that release would otherwise delete the slot's events as the oldest.
 */
export async function nextPosition(reader: Reader, slot: Slot, bytes: number): Promise<number> {
  const volume = await reader
    .insertInto('analytics_volumes')
    .values((row) => ({
      app_id: slotName(slot),
      bytes: row(
        row.fn.coalesce(
          row.selectFrom('analytics_volumes as app').select('app.bytes').where('app.app_id', '=', slot.appId),
          row.lit(0),
        ),
        '+',
        bytes,
      ),
    }))
    .onConflict((conflict) =>
      conflict.column('app_id').doUpdateSet((row) => ({ bytes: row('analytics_volumes.bytes', '+', bytes) })),
    )
    .returning('bytes')
    .executeTakeFirstOrThrow()
  return volume.bytes
}

/** Returns the rows to delete for apps above their storage limit: all but the newest bytes. */
export async function surplusEvents(reader: Reader): Promise<readonly OverdueRows[]> {
  const { keptBytesPerApp, slots } = analyticsLimits
  const volumes = await reader
    .selectFrom('analytics_volumes')
    .select(['app_id', 'bytes'])
    .where('bytes', '>', keptBytesPerApp / slots)
    .execute()
  return volumes
    .map(({ app_id: name, bytes }) => ({
      table: 'analytics_events',
      key: ['id'],
      column: 'position',
      upTo: bytes - (isSlot(name) ? keptBytesPerApp / slots : keptBytesPerApp),
      where: { column: isSlot(name) ? 'slot' : 'app_id', is: name },
    }))
    .filter(({ upTo }) => upTo > 0)
}

const add = compileQuery((db, value: Placeholder<Row<'analytics_events'>>) =>
  db.insertInto('analytics_events').values({
    id: value('id'),
    app_id: value('app_id'),
    event_name: value('event_name'),
    client_id: value('client_id'),
    user_id: value('user_id'),
    payload: value('payload'),
    created_at: value('created_at'),
    position: value('position'),
    slot: value('slot'),
  }),
)
export async function insertEvent(reader: Reader, event: Row<'analytics_events'>): Promise<void> {
  await add(reader, event)
}
