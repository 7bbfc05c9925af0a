/**
 * Counts logins, codes, wallets and signatures of each app, for the statistics of the Admin API. The counts of a process are held
 * in memory and stored every few seconds, so that a login needs no further statement. A killed process loses its last
 * ones.
 */
import type { AppMetric } from '@latchkey/protocol/admin'

/** `label` is the login method, channel, chain or place. Its values must be few. */
export type AppCount = { appId: string; metric: AppMetric; label: string; count: number }

const pending = new Map<string, AppCount>()

export function countForApp(appId: string, metric: AppMetric, label: string, count = 1): void {
  const key = `${appId} ${metric} ${label}`
  const earlier = pending.get(key)?.count ?? 0
  pending.set(key, { appId, metric, label, count: earlier + count })
}

/** Returns the counts since the last call. */
export function takeAppCounts(): AppCount[] {
  const counts = [...pending.values()]
  pending.clear()
  return counts
}
