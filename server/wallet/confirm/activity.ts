/** What the wallets of a user have signed, and what else was done with them: read from the audit. */
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

type Before = { at: number; id: string }
type Entry = Pick<Row<'audit_log'>, 'id' | 'event' | 'details' | 'created_at'>

export async function activityOf(
  { db, capabilities: { activity: events } }: ServerContext,
  { appId, userId }: DialogToken,
  before: string | undefined,
): Promise<RouteOutput<typeof activityRoutes.activity>> {
  const { activityPageSize } = confirmLimits
  const of = { appId, userId, events: [signed, ...Object.keys(events)] }
  const rows = await entriesBefore(db, of, before === undefined ? undefined : placeIn(before))
  const page = rows.slice(0, activityPageSize)
  const last = rows.length > activityPageSize ? page.at(-1) : undefined
  return {
    activity: page.map((entry) => entryOf(entry, events[entry.event])),
    next: last ? `${last.created_at}.${last.id}` : null,
  }
}

function placeIn(before: string): Before {
  const [at = '', id = ''] = before.split('.')
  return { at: Number(at), id }
}

/** Its details say what was signed; every other event says what happened by its name. */
const signed = 'wallet.signed'

function entriesBefore(
  reader: Reader,
  { appId, userId, events }: { appId: string; userId: string; events: readonly string[] },
  before: Before | undefined,
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

const detailsOfApp = v.object({ app: v.nullish(v.string()) })

function entryOf(
  { id, details, created_at: at }: Entry,
  named: ActivityEvents[string] | undefined,
): ActivityEntry {
  if (named) {
    const app = named.namesApp && v.parse(detailsOfApp, JSON.parse(details)).app
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
