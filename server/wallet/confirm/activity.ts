/** Lists a user's signatures and account actions from the audit log. */
import { confirmLimits } from '@latchkey/protocol'
import {
  type ActivityEntry,
  activityKinds,
  type activityRoutes,
  type RouteOutput,
} from '@latchkey/protocol/api'
import { confirmationPlaces } from '@latchkey/protocol/wallet'
import * as v from 'valibot'
import type { ActivityEvents, DialogToken, ServerContext } from '../../kernel/context.ts'
import type { Row } from '../../kernel/db/schema.ts'
import type { Reader } from '../../kernel/ports.ts'

type Cursor = { at: number; id: string }
type Entry = Pick<Row<'audit_log'>, 'id' | 'event' | 'details' | 'created_at'>

export async function getActivity(
  { db, capabilities: { activity: events } }: ServerContext,
  { appId, userId }: DialogToken,
  before: string | undefined,
): Promise<RouteOutput<typeof activityRoutes.activity>> {
  const { activityPageSize } = confirmLimits
  const filter = { appId, userId, events: [signedEvent, ...Object.keys(events)] }
  const rows = await findEntriesBefore(db, filter, before === undefined ? undefined : parseCursor(before))
  const page = rows.slice(0, activityPageSize)
  const last = rows.length > activityPageSize ? page.at(-1) : undefined
  return {
    activity: page.map((entry) => toActivityEntry(entry, events[entry.event])),
    next: last ? `${last.created_at}.${last.id}` : null,
  }
}

function parseCursor(before: string): Cursor {
  const [at = '', id = ''] = before.split('.')
  return { at: Number(at), id }
}

/** The details of this event describe the signature. Every other event is described by its name. */
const signedEvent = 'wallet.signed'

function findEntriesBefore(
  reader: Reader,
  { appId, userId, events }: { appId: string; userId: string; events: readonly string[] },
  before: Cursor | undefined,
): Promise<readonly Entry[]> {
  const entries = reader
    .selectFrom('audit_log')
    .select(['id', 'event', 'details', 'created_at'])
    .where('user_id', '=', userId)
    .where('app_id', '=', appId)
    .where('event', 'in', events)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(confirmLimits.activityPageSize + 1)
  if (before === undefined) return entries.execute()
  const { at, id } = before
  return entries
    .where((row) =>
      row.or([row('created_at', '<', at), row.and([row('created_at', '=', at), row('id', '<', id)])]),
    )
    .execute()
}

const signedDetails = v.object({
  kind: v.picklist(activityKinds),
  method: v.string(),
  place: v.picklist(confirmationPlaces),
  digest: v.string(),
  chain_id: v.nullish(v.string()),
  to: v.nullish(v.string()),
  value: v.nullish(v.string()),
  requester: v.nullish(v.string()),
})

const appDetails = v.object({ app: v.nullish(v.string()) })

function toActivityEntry(
  { id, details, created_at: at }: Entry,
  named: ActivityEvents[string] | undefined,
): ActivityEntry {
  if (named) {
    const app = named.namesApp && v.parse(appDetails, JSON.parse(details)).app
    return { id, at, kind: named.kind, ...(typeof app === 'string' && { app }) }
  }
  const { chain_id: chainId, to, value, requester, ...read } = v.parse(signedDetails, JSON.parse(details))
  return {
    id,
    at,
    ...read,
    ...(typeof requester === 'string' && { app: new URL(requester).host }),
    ...(typeof chainId === 'string' && { chainId }),
    ...(typeof to === 'string' && { to }),
    ...(typeof value === 'string' && { value }),
  }
}
