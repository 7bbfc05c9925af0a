/**
 * A device database in memory, for tests, with the transactions of the real one. A disk outlives its tabs.
 */
import type { Change, DeviceDatabase, Records } from '../vault/device/store.ts'
import { type TabLife, tabLife } from './tab-life.ts'

export type MemoryDisk = { records: Map<string, unknown>; key: unknown; signer?: unknown }

export const emptyDisk = (): MemoryDisk => ({ records: new Map(), key: undefined })

export function memoryDatabase(disk: MemoryDisk, life: TabLife = tabLife()): DeviceDatabase {
  return {
    readOrStoreKey: (candidate) =>
      life.step(() => {
        disk.key ??= candidate
        return disk.key
      }),
    // A tab that died before or after this read leaves the same records.
    readSigner: async () => disk.signer,
    writeSigner: async (pair) => {
      disk.signer = pair
    },
    change: <T>(decide: (records: Records) => Change<T>) =>
      life.step(() => {
        const { put = {}, remove = [], result } = decide(structuredClone(disk.records))
        for (const key of remove) disk.records.delete(key)
        for (const [key, value] of Object.entries(put)) disk.records.set(key, structuredClone(value))
        return result
      }),
  }
}
