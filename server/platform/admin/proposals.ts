/**
 * Proposals: changes that give a page, an approval or a login more rights. One operator proposes, another one approves,
 * and 24 hours later the change can be applied to an app that still has the values which both of them saw.
 */
import { isDeepStrictEqual } from 'node:util'
import { type AdminProposal, adminLimits, type ProposalState } from '@latchkey/protocol/admin'
import { sql } from 'kysely'
import * as v from 'valibot'
import {
  type AppRow,
  changeSettings,
  describeApp,
  findWidenedSettings,
  lockApp,
  previewSettings,
  type ServerSupport,
} from '../../identity/apps/apps.ts'
import { publishAppEvent } from '../../identity/outbox/outbox.ts'
import { AdminError } from '../../kernel/http/admin-endpoint.ts'
import { randomId } from '../../kernel/ids.ts'
import { type Clock, nowSeconds, type Reader, type Trx } from '../../kernel/ports.ts'
import { findRequester, putRequester, registrationSchema } from '../provider/provider.ts'
import { isCallerRevoked } from './callers.ts'
import { formatTime } from './pages.ts'
import { type ProposalRow, withAdminTables } from './tables.ts'

/** The operator behind a decision. `callerId` is that of `AdminCaller`, or null for commands. */
export type Decider = { operator: string; callerId: string | null }
export type ProposalSources = { clock: Clock; support: Omit<ServerSupport, 'authorize'> }
type ProposalKey = { appId: string; id: string }

const settingsSchema = v.record(v.string(), v.unknown())
type Settings = v.InferOutput<typeof settingsSchema>
type Requester = v.InferOutput<typeof registrationSchema>
/** The values of an app that a change replaces. */
type Replaced = { settings: Settings; requester: Requester | null }
const parseJson = <Schema extends v.GenericSchema>(schema: Schema, text: string | null) =>
  text === null ? null : v.parse(schema, JSON.parse(text))
const replacedSchema = v.object({ settings: settingsSchema, requester: v.nullable(registrationSchema) })

/** Returns the current values of the settings and the requester that a proposal names. */
async function readReplaced(
  reader: Reader,
  app: AppRow,
  settings: Settings | null,
  requester: Requester | null,
): Promise<Replaced> {
  const { config, ...columns } = describeApp(app)
  const values: Settings = { ...columns, ...Object(config) }
  const names = new Set(Object.keys(settings ?? {}).map((path) => path.split('.')[0] ?? ''))
  const current = requester && (await findRequester(reader, { appId: app.id, clientId: requester.clientId }))
  // Converted by JSON, so that it equals the stored value.
  return JSON.parse(
    JSON.stringify({
      settings: Object.fromEntries([...names].map((name) => [name, values[name] ?? null])),
      requester: current ? v.parse(registrationSchema, current) : null,
    } satisfies Replaced),
  )
}

export type NewProposal = { settings?: Settings; requester?: unknown; note?: string }

/** Stores a proposal. Its change is validated as if it were made now. */
export async function propose(
  trx: Trx,
  { clock, support }: ProposalSources,
  appId: string,
  { settings = undefined, requester: registration, note }: NewProposal,
  by: Decider,
): Promise<ProposalRow> {
  const app = await requireLockedApp(trx, appId)
  if (settings === undefined && registration === undefined) {
    throw new AdminError('invalid_data', 'Propose settings or a requester', { path: '' })
  }
  const requester = registration === undefined ? null : parseRequester(registration)
  const widens =
    settings === undefined
      ? []
      : findWidenedSettings(app, previewSettings(app, clock, Object.entries(settings), support))
  if (widens.length === 0 && requester === null) {
    throw new AdminError('nothing_to_approve', 'Change the app without a proposal', { path: 'settings' })
  }
  if (app.max_users === null && settings?.max_users !== undefined) {
    throw new AdminError('not_supported', 'Run latchkey app set for a first limit of users', {
      path: 'settings.max_users',
    })
  }
  const now = nowSeconds(clock)
  if ((await countOpen(trx, appId, now)) >= adminLimits.mostOpenProposals) {
    throw new AdminError('too_many_proposals', 'Cancel another proposal first')
  }
  const row: ProposalRow = {
    id: `prp_${randomId()}`,
    app_id: appId,
    settings: settings === undefined ? null : JSON.stringify(settings),
    requester: requester === null ? null : JSON.stringify(requester),
    replaces: JSON.stringify(await readReplaced(trx, app, settings ?? null, requester)),
    widens: widens.join(' '),
    note: note ?? null,
    state: 'proposed',
    proposed_caller: by.callerId,
    proposed_by: by.operator,
    proposed_at: now,
    approved_caller: null,
    approved_by: null,
    approved_at: null,
    due_at: null,
    expires_at: now + adminLimits.proposalOpenSeconds,
    ended_by: null,
    ended_at: null,
  }
  await withAdminTables(trx).insertInto('app_proposals').values(row).execute()
  await publishAppEvent(trx, clock, appId, {
    type: 'approvals.proposed',
    fields: { proposalId: row.id, settings: toNames(row), operator: by.operator },
  })
  return row
}

async function requireLockedApp(trx: Trx, appId: string): Promise<AppRow> {
  const app = await lockApp(trx, appId)
  if (app === undefined) throw new AdminError('app_not_found', `There is no app ${appId}`)
  return app
}

function parseRequester(registration: unknown): Requester {
  const parsed = v.safeParse(registrationSchema, { jwk: null, ...Object(registration) })
  if (parsed.success) return parsed.output
  const [issue] = parsed.issues
  throw new AdminError('invalid_data', issue.message, { path: 'requester' })
}

async function countOpen(reader: Reader, appId: string, now: number): Promise<number> {
  const { count } = await withAdminTables(reader)
    .selectFrom('app_proposals')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('app_id', '=', appId)
    .where('state', 'in', ['proposed', 'approved'])
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** The second operator's decision. The waiting time starts now. */
export async function approve(
  trx: Trx,
  sources: ProposalSources,
  key: ProposalKey,
  by: Decider,
): Promise<ProposalRow> {
  const { clock } = sources
  const row = await lockOpenProposal(trx, clock, key)
  if (row.state !== 'proposed') throw notOpen(row, clock)
  if (row.proposed_by === by.operator || (by.callerId !== null && row.proposed_caller === by.callerId)) {
    throw new AdminError('same_operator', `${row.proposed_by} proposed this change`)
  }
  await assertCurrent(trx, row)
  const now = nowSeconds(clock)
  const dueAt = now + adminLimits.proposalWaitSeconds
  return saveState(trx, clock, row, by, {
    state: 'approved',
    approved_caller: by.callerId,
    approved_by: by.operator,
    approved_at: now,
    due_at: dueAt,
    expires_at: dueAt + adminLimits.proposalOpenSeconds,
  })
}

export async function cancel(
  trx: Trx,
  { clock }: ProposalSources,
  key: ProposalKey,
  by: Decider,
): Promise<ProposalRow> {
  const row = await lockOpenProposal(trx, clock, key)
  return saveState(trx, clock, row, by, {
    state: 'cancelled',
    ended_by: by.operator,
    ended_at: nowSeconds(clock),
  })
}

/** Makes the change, with all checks of a change of settings. */
export async function apply(
  trx: Trx,
  { clock, support }: ProposalSources,
  key: ProposalKey,
  by: Decider,
): Promise<ProposalRow> {
  const row = await lockOpenProposal(trx, clock, key)
  if (row.state !== 'approved' || row.due_at === null) throw notOpen(row, clock)
  const now = nowSeconds(clock)
  if (now < row.due_at) {
    throw new AdminError('proposal_waiting', `It can be applied from ${formatTime(row.due_at)}`)
  }
  await assertCurrent(trx, row)
  const settings = parseJson(settingsSchema, row.settings)
  const requester = parseJson(registrationSchema, row.requester)
  if (settings !== null) {
    const expected = new Set(row.widens.split(' '))
    await changeSettings(trx, clock, row.app_id, Object.entries(settings), {
      ...support,
      authorize(before, after) {
        const further = findWidenedSettings(before, after).find((name) => !expected.has(name))
        if (further !== undefined) throw outdated(`it would now widen ${further} too`)
      },
    })
  }
  if (requester !== null) await putRequester(trx, row.app_id, requester, now)
  return saveState(trx, clock, row, by, { state: 'applied', ended_by: by.operator, ended_at: now })
}

/** Throws unless the app still has the replaced values, and no caller of the two decisions was revoked. */
async function assertCurrent(trx: Trx, row: ProposalRow): Promise<void> {
  for (const caller of [row.proposed_caller, row.approved_caller]) {
    if (caller !== null && (await isCallerRevoked(trx, caller))) throw outdated(`${caller} was revoked`)
  }
  const app = await requireLockedApp(trx, row.app_id)
  const { settings, requester, replaces } = parseChange(row)
  const current = await readReplaced(trx, app, settings, requester)
  if (!isDeepStrictEqual(current, replaces)) throw outdated('the app has changed since it was proposed')
}

const outdated = (reason: string) =>
  new AdminError('proposal_outdated', `Propose the change again: ${reason}`)

const parseChange = (row: ProposalRow) => ({
  settings: parseJson(settingsSchema, row.settings),
  requester: parseJson(registrationSchema, row.requester),
  replaces: v.parse(replacedSchema, JSON.parse(row.replaces)),
})

/** Locks the proposal by an update without changes, so that of two concurrent decisions the second sees the first. */
async function lockOpenProposal(trx: Trx, clock: Clock, { appId, id }: ProposalKey): Promise<ProposalRow> {
  const row = await withAdminTables(trx)
    .updateTable('app_proposals')
    .set((proposal) => ({ app_id: proposal.ref('app_id') }))
    .where('id', '=', id)
    .where('app_id', '=', appId)
    .returningAll()
    .executeTakeFirst()
  if (row === undefined) throw proposalNotFound(id)
  const state = readState(row, clock)
  if (state !== 'proposed' && state !== 'approved') throw notOpen(row, clock)
  return row
}

export const proposalNotFound = (id: string) =>
  new AdminError('proposal_not_found', `The app has no proposal ${id}`)
const notOpen = (row: ProposalRow, clock: Clock) =>
  new AdminError('proposal_not_open', `The proposal is ${readState(row, clock)}`)

const readState = ({ state, expires_at: expiresAt }: ProposalRow, clock: Clock): ProposalState =>
  (state === 'proposed' || state === 'approved') && expiresAt <= nowSeconds(clock) ? 'expired' : state

async function saveState(
  trx: Trx,
  clock: Clock,
  row: ProposalRow,
  by: Decider,
  change: Partial<ProposalRow> & { state: 'approved' | 'cancelled' | 'applied' },
): Promise<ProposalRow> {
  await withAdminTables(trx).updateTable('app_proposals').set(change).where('id', '=', row.id).execute()
  await publishAppEvent(trx, clock, row.app_id, {
    type: 'approvals.changed',
    fields: { proposalId: row.id, settings: toNames(row), state: change.state, operator: by.operator },
  })
  return { ...row, ...change }
}

/** Returns the names of the widened settings. `requesters` stands for the registration of one. */
const toNames = ({ widens, requester }: ProposalRow): string[] => [
  ...widens.split(' ').filter((name) => name !== ''),
  ...(requester === null ? [] : ['requesters']),
]

export const findProposal = (reader: Reader, { appId, id }: ProposalKey): Promise<ProposalRow | undefined> =>
  withAdminTables(reader)
    .selectFrom('app_proposals')
    .selectAll()
    .where('id', '=', id)
    .where('app_id', '=', appId)
    .executeTakeFirst()

/** Returns the proposals of an app after a position, newest first. */
export function readProposalsPage(
  reader: Reader,
  appId: string,
  position: { at: number; id: string } | undefined,
  limit: number,
): Promise<ProposalRow[]> {
  const query = withAdminTables(reader)
    .selectFrom('app_proposals')
    .selectAll()
    .where('app_id', '=', appId)
    .orderBy('proposed_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
  return (
    position ? query.where(sql<boolean>`(proposed_at, id) < (${position.at}, ${position.id})`) : query
  ).execute()
}

export function describeProposal(row: ProposalRow, clock: Clock): AdminProposal {
  const toDecision = (operator: string | null, at: number | null) =>
    operator === null || at === null ? null : { operator, at: formatTime(at) }
  return {
    id: row.id,
    appId: row.app_id,
    state: readState(row, clock),
    ...parseChange(row),
    widens: toNames(row),
    note: row.note,
    proposed: { operator: row.proposed_by, at: formatTime(row.proposed_at) },
    approved: toDecision(row.approved_by, row.approved_at),
    appliesFrom: row.due_at === null ? null : formatTime(row.due_at),
    expiresAt: formatTime(row.expires_at),
    ended: toDecision(row.ended_by, row.ended_at),
  }
}
