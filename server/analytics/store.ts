import type { Row } from '../db/schema.ts'
import type { Reader } from '../ports.ts'

export async function insertEvent(reader: Reader, event: Row<'analytics_events'>): Promise<void> {
  await reader.insertInto('analytics_events').values(event).execute()
}
