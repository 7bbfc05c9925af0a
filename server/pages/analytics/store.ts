import type { Overdue } from '../../kernel/db/cleanup.ts'
import { compiled, type ValueOf } from '../../kernel/db/compiled.ts'
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
  /** Bytes of all events of the app up to this one: it says how much came after. */
  position: number
}

/** Bytes of all events of an app that were ever kept. */
type AnalyticsVolumeTable = { app_id: string; bytes: number }

declare module '../../kernel/db/schema.ts' {
  interface Database {
    analytics_events: AnalyticsEventTable
    analytics_volumes: AnalyticsVolumeTable
  }
}

/** Where the event stands among those of its app. */
export async function nextPosition(reader: Reader, appId: string, bytes: number): Promise<number> {
  const volume = await reader
    .insertInto('analytics_volumes')
    .values({ app_id: appId, bytes })
    .onConflict((conflict) =>
      conflict.column('app_id').doUpdateSet((row) => ({ bytes: row('analytics_volumes.bytes', '+', bytes) })),
    )
    .returning('bytes')
    .executeTakeFirstOrThrow()
  return volume.bytes
}

/** An app that has more than it may keep loses all that came before the newest so many bytes. */
export async function beyondKeptBytes(reader: Reader): Promise<readonly Overdue[]> {
  const { keptBytesPerApp } = analyticsLimits
  const volumes = await reader
    .selectFrom('analytics_volumes')
    .select(['app_id', 'bytes'])
    .where('bytes', '>', keptBytesPerApp)
    .execute()
  return volumes.map(({ app_id, bytes }) => ({
    table: 'analytics_events',
    key: ['id'],
    column: 'position',
    upTo: bytes - keptBytesPerApp,
    where: { column: 'app_id', is: app_id },
  }))
}

const add = compiled((db, value: ValueOf<Row<'analytics_events'>>) =>
  db.insertInto('analytics_events').values({
    id: value('id'),
    app_id: value('app_id'),
    event_name: value('event_name'),
    client_id: value('client_id'),
    user_id: value('user_id'),
    payload: value('payload'),
    created_at: value('created_at'),
    position: value('position'),
  }),
)
export async function insertEvent(reader: Reader, event: Row<'analytics_events'>): Promise<void> {
  await add(reader, event)
}
