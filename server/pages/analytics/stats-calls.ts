/** The call of the Admin API that reads statistics. */
import { adminLimits, adminStatsRoutes } from '@latchkey/protocol/admin'
import { type AdminEndpoint, AdminError, adminRead } from '../../kernel/http/admin-endpoint.ts'
import { nowSeconds } from '../../kernel/ports.ts'
import { readStats } from './stats.ts'

const daySeconds = 86_400
const defaultDays = 7
const buckets = {
  '1h': { seconds: 3_600, longestDays: adminLimits.longestHourlyDays },
  '1d': { seconds: daySeconds, longestDays: adminLimits.longestDailyDays },
} as const

const parseSeconds = (text: string | undefined) =>
  text === undefined ? undefined : Math.floor(Date.parse(text) / 1_000)
const formatTime = (seconds: number) => new Date(seconds * 1_000).toISOString()

export const statsEndpoints: AdminEndpoint[] = [
  adminRead(adminStatsRoutes.readStats, async ({ appId, query }, { db, clock }) => {
    const { metric, bucket = '1d' } = query
    const { seconds: bucketSeconds, longestDays } = buckets[bucket]
    const to = parseSeconds(query.to) ?? nowSeconds(clock)
    const start = parseSeconds(query.from) ?? to - defaultDays * daySeconds
    // Periods are whole, so the first one is included from its start.
    const from = start - (start % bucketSeconds)
    if (start >= to) throw new AdminError('invalid_data', '`from` must be before `to`', { path: 'from' })
    if (to - start > longestDays * daySeconds) {
      throw new AdminError('invalid_data', `With ${bucket}, the time is at most ${longestDays} days`, {
        path: 'from',
      })
    }
    const rows = await readStats(db, { appId, from, to, bucketSeconds, ...(metric && { metrics: [metric] }) })
    const data = rows.map(({ at, ...row }) => ({ ...row, at: formatTime(at) }))
    return { output: { from: formatTime(from), to: formatTime(to), data } }
  }),
]
