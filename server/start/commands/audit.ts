/** `latchkey app audit`: prints the audit log, to investigate incidents. */
import * as v from 'valibot'
import { AppRefusal, requireApp } from '../../identity/apps/manage.ts'
import {
  type AuditPosition,
  type AuditRow,
  hasAuditEntries,
  readAuditPage,
} from '../../identity/audit/read-audit.ts'
import { describeMissingUser, findUsers, parseUserReference } from '../../identity/users/users.ts'
import { type Clock, nowSeconds, type Reader } from '../../kernel/ports.ts'
import type { Command } from './command.ts'
import { parseOptions } from './spec.ts'
import { appSpec } from './specs/app.ts'

const auditLimits = { entries: 50, mostEntries: 1_000_000, pageRows: 500 } as const

const secondsIn = { m: 60, h: 3_600, d: 86_400 } as const
const age = /^([1-9]\d{0,5})([mhd])$/
const date = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2})?Z)?$/

/** Parses an age, counted back from now, or a date. A date alone means midnight UTC. */
function parseTime(text: string, clock: Clock): number | undefined {
  const [, count, unit] = age.exec(text) ?? []
  if (count !== undefined) return nowSeconds(clock) - Number(count) * secondsIn[v.parse(ageUnit, unit)]
  const ms = date.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(ms) ? undefined : Math.floor(ms / 1_000)
}
const ageUnit = v.picklist(['m', 'h', 'd'])

/** Parses an age or a time of an option. */
export const time = (clock: Clock) =>
  v.pipe(
    v.string(),
    v.transform((text) => parseTime(text, clock)),
    v.number('must be an age such as 30m, 12h or 7d, or a time such as 2026-05-01 or 2026-05-01T09:30Z'),
  )
const place = v.pipe(
  v.string(),
  v.regex(/^\d{1,12}\.[A-Za-z0-9_-]{1,64}$/, 'must be what an earlier page ended with'),
  v.transform((text): AuditPosition => {
    const [at = '', id = ''] = text.split('.')
    return { at: Number(at), id }
  }),
)
const options = (clock: Clock) =>
  v.object({
    app: v.optional(v.string()),
    user: v.optional(v.pipe(v.string(), v.nonEmpty('must be a user'))),
    event: v.optional(
      v.pipe(
        v.string(),
        v.regex(/^[a-z_]+(\.[a-z_]+)?$/, 'must be an event such as wallet.signed, or an area such as wallet'),
      ),
    ),
    since: v.optional(time(clock)),
    until: v.optional(time(clock)),
    before: v.optional(place),
    limit: v.optional(
      v.pipe(
        v.string(),
        v.digits('must be a number'),
        v.transform(Number),
        v.minValue(1, 'must be at least 1'),
        v.maxValue(auditLimits.mostEntries, `must be at most ${auditLimits.mostEntries}`),
      ),
      String(auditLimits.entries),
    ),
    json: v.optional(v.boolean(), false),
  })

export const audit: Command = async (args, { database: { db }, clock, print }) => {
  const values = parseOptions(appSpec.commands.audit, args)
  const parsed = v.safeParse(options(clock), values)
  if (!parsed.success) {
    throw new AppRefusal(parsed.issues.map((issue) => `--${v.getDotPath(issue)} ${issue.message}`).join('\n'))
  }
  const { app, user, event, since, until, before, limit, json } = parsed.output
  if (app !== undefined) await requireApp(db, app)
  if (since !== undefined && until !== undefined && since >= until) {
    throw new AppRefusal('--until must be later than --since')
  }
  const userIds = user === undefined ? undefined : await resolveUser(db, user, app)
  const filter = { appId: app, userIds, event, since, until }
  const line = json ? formatJson : formatLine
  let last = before
  let left = limit
  // Reads one row more than requested, to detect whether there are more.
  for (;;) {
    const pageSize = Math.min(left, auditLimits.pageRows)
    const rows = await readAuditPage(db, filter, last, pageSize + 1)
    const page = rows.slice(0, pageSize)
    for (const row of page) print(line(row))
    const end = page.at(-1)
    if (!end) break
    last = toPlace(end)
    left -= page.length
    if (rows.length <= pageSize) return
    if (left === 0) {
      if (!json) print(`There are older entries: add --before ${placeText(end)}`)
      return
    }
  }
  if (!json) print('There are no such entries.')
}

/** Finds the user ids. Audit entries outlive a deleted user and contain only the id. */
async function resolveUser(reader: Reader, text: string, app: string | undefined): Promise<string[]> {
  const reference = parseUserReference(text)
  const users = await findUsers(reader, reference, app)
  if (users.length > 0) return users.map(({ userId }) => userId)
  if (reference.by === 'id' && (await hasAuditEntries(reader, reference.id, app))) return [reference.id]
  throw new AppRefusal(describeMissingUser(reference, [], app))
}

const toPlace = ({ created_at: at, id }: AuditRow): AuditPosition => ({ at, id })
const placeText = ({ created_at: at, id }: AuditRow) => `${at}.${id}`
const formatTime = ({ created_at: at }: AuditRow) => new Date(at * 1_000).toISOString().replace('.000Z', 'Z')

const longestEvent = 'session.handover_created'.length
const formatLine = (row: AuditRow): string =>
  [
    formatTime(row),
    row.event.padEnd(longestEvent),
    row.app_id ?? '-',
    row.user_id ?? '-',
    row.session_id ?? '-',
    row.details,
  ].join('  ')

const formatJson = (row: AuditRow): string =>
  JSON.stringify({
    at: formatTime(row),
    event: row.event,
    app: row.app_id,
    user: row.user_id,
    session: row.session_id,
    details: JSON.parse(row.details),
    place: placeText(row),
  })
