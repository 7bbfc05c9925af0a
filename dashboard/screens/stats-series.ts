import type { AdminRouteOutput, adminStatsRoutes } from '@latchkey/protocol/admin'

export type Stats = AdminRouteOutput<typeof adminStatsRoutes.readStats>

const dayMs = 86_400_000

type DayCount = { by: string; at: string; count: number }

/** Returns the counts of each value of `by`, and 0 for days without events. */
export function toSeries({ from, to }: Pick<Stats, 'from' | 'to'>, rows: DayCount[]) {
  const first = Math.floor(Date.parse(from) / dayMs) * dayMs
  const days = Math.ceil((Date.parse(to) - first) / dayMs)
  const times = Array.from({ length: days }, (_, day) => first + day * dayMs)
  const series = [...new Set(rows.map(({ by }) => by))].sort().map((by) => ({
    label: by,
    values: times.map((time) =>
      rows.reduce((total, row) => total + (row.by === by && Date.parse(row.at) === time ? row.count : 0), 0),
    ),
  }))
  return { times: times.map((time) => time / 1_000), series }
}
