import { compiled, type ValueOf } from '../db/compiled.ts'
import type { Row } from '../db/schema.ts'
import type { Reader } from '../ports.ts'

const add = compiled((db, value: ValueOf<Row<'analytics_events'>>) =>
  db.insertInto('analytics_events').values({
    id: value('id'),
    app_id: value('app_id'),
    event_name: value('event_name'),
    client_id: value('client_id'),
    user_id: value('user_id'),
    payload: value('payload'),
    created_at: value('created_at'),
  }),
)
export async function insertEvent(reader: Reader, event: Row<'analytics_events'>): Promise<void> {
  await add(reader, event)
}
