/**
 * A device database in memory, for tests: with the transactions of the real one, and with a tab that dies.
 *
 * `dieAt(n, when)` kills the tab at the n-th use of the database from now on, before the write or after it
 * (written, but nobody was told). A dead tab does nothing more; `reopened()` is the next tab on the same disk.
 */
import type { Change, DeviceDatabase } from '../vault/device-store.ts'

export type MemoryDisk = { records: Map<string, unknown>; key: unknown }
export type TabDeath = { readonly at: number; readonly when: 'before the write' | 'after the write' }

export class TabDied extends Error {}

export const emptyDisk = (): MemoryDisk => ({ records: new Map(), key: undefined })

export function memoryDatabase(disk: MemoryDisk, death?: TabDeath) {
  let uses = 0
  let dead = false

  function use<T>(write: () => T): T {
    if (dead) throw new TabDied()
    const dies = death !== undefined && ++uses === death.at
    if (dies) dead = true
    if (dies && death.when === 'before the write') throw new TabDied()
    const result = write()
    if (dies) throw new TabDied()
    return result
  }

  const database: DeviceDatabase = {
    keepKey: async (candidate) =>
      use(() => {
        disk.key ??= candidate
        return disk.key
      }),
    change: async <T>(decide: (records: ReadonlyMap<string, unknown>) => Change<T>) =>
      use(() => {
        const { put = {}, remove = [], result } = decide(structuredClone(disk.records))
        for (const key of remove) disk.records.delete(key)
        for (const [key, value] of Object.entries(put)) disk.records.set(key, structuredClone(value))
        return result
      }),
  }
  return { database, uses: () => uses, hasDied: () => dead }
}
