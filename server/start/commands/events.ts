/** `latchkey app events`: prints the hourly counts of analytics events. */
import * as v from 'valibot'
import { AppRefusal, requireApp } from '../../identity/apps/manage.ts'
import { nowSeconds } from '../../kernel/ports.ts'
import { type EventCount, readEventCounts } from '../../pages/analytics/counts.ts'
import { time } from './audit.ts'
import type { Command } from './command.ts'
import { parseCommand, UsageError } from './spec.ts'
import { appSpec } from './specs/app.ts'
import { table } from './table.ts'

export const events: Command = async (args, { database: { db }, clock, print }) => {
  const { values, positionals } = parseCommand(appSpec.commands.events, args)
  const [id, ...more] = positionals
  if (id === undefined || more.length > 0) throw new UsageError()
  const parsed = v.safeParse(
    v.object({ since: v.optional(time(clock)), until: v.optional(time(clock)) }),
    values,
  )
  if (!parsed.success) {
    throw new AppRefusal(parsed.issues.map((issue) => `--${v.getDotPath(issue)} ${issue.message}`).join('\n'))
  }
  const { until = nowSeconds(clock) + 1, since = until - defaultSeconds } = parsed.output
  if (since >= until) throw new AppRefusal('--until must be later than --since')
  await requireApp(db, id)
  // Counts belong to whole hours, so the first hour is included from its start.
  const counts = await readEventCounts(db, { appId: id, since: since - (since % secondsPerHour), until })
  if (values.json) {
    for (const { hour, ...count } of counts) print(JSON.stringify({ hour: formatTime(hour), ...count }))
    return
  }
  if (counts.length === 0) return print('There are no events in this time.')
  const rows = sumByEvent(counts).map(({ event, method, count }) => [event, method ?? '', String(count)])
  for (const line of table([['EVENT', 'METHOD', 'COUNT'], ...rows])) print(line)
}

const secondsPerHour = 3_600
const defaultSeconds = 7 * 86_400

const formatTime = (seconds: number) => new Date(seconds * 1_000).toISOString().replace('.000Z', 'Z')

function sumByEvent(counts: EventCount[]): Omit<EventCount, 'hour'>[] {
  const groups = Map.groupBy(counts, ({ event, method }) => `${event} ${method ?? ''}`)
  return [...groups]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([, group]) => {
      const [first] = group
      return first === undefined
        ? []
        : [
            {
              event: first.event,
              method: first.method,
              count: group.reduce((sum, { count }) => sum + count, 0),
            },
          ]
    })
}
