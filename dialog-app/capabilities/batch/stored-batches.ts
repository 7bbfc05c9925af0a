/** The batches that this tab stores for later status calls, limited in number and age. */
import { product } from '@latchkey/protocol'
import { batchLimits } from '@latchkey/protocol/host'
import * as v from 'valibot'
import type { Clock, KeyValueStore } from '../../browser/ports.ts'
import type { Settings } from '../../host/settings.ts'

const entry = v.object({
  to: v.nullable(v.string()),
  /** In the smallest unit, decimal. */
  value: v.pipe(v.string(), v.digits()),
  hasData: v.boolean(),
  /** The hash of the transaction, once it was sent. */
  hash: v.nullable(v.string()),
})
export type BatchEntry = v.InferOutput<typeof entry>
const batchSchema = v.object({
  id: v.string(),
  address: v.string(),
  chainId: v.number(),
  atMs: v.number(),
  entries: v.array(entry),
  /** The hash of the operation with all calls, if they happen together. */
  operation: v.exactOptional(v.string()),
})
export type StoredBatch = v.InferOutput<typeof batchSchema>
const all = v.array(batchSchema)

export function createStoredBatches(tab: KeyValueStore, { nowMs }: Pick<Clock, 'nowMs'>, settings: Settings) {
  const name = product.storageName(settings.app.id, settings.hostOrigin ?? '', 'batches')
  /** Also kept in memory, in case the browser stores nothing. */
  let batches: readonly StoredBatch[] = read()

  function read(): readonly StoredBatch[] {
    try {
      return v.parse(all, JSON.parse(tab.read(name) ?? '[]'))
    } catch {
      return []
    }
  }
  function store(next: readonly StoredBatch[]) {
    batches = next
    try {
      tab.write(name, JSON.stringify(next))
    } catch {}
  }
  const current = () => batches.filter(({ atMs }) => nowMs() - atMs < batchLimits.keptSeconds * 1_000)

  return {
    /** Finds batches of this wallet only, so that no user sees those of another. */
    find: (id: string, address: string): StoredBatch | undefined =>
      current().find((each) => each.id === id && each.address.toLowerCase() === address.toLowerCase()),
    add: (batch: StoredBatch) => store([...current(), batch].slice(-batchLimits.maxKept)),
    sent(id: string, position: number, hash: string) {
      const withHash = (each: StoredBatch): StoredBatch => ({
        ...each,
        entries: each.entries.map((entry, at) => (at === position ? { ...entry, hash } : entry)),
      })
      store(current().map((each) => (each.id === id ? withHash(each) : each)))
    },
  }
}
export type StoredBatches = ReturnType<typeof createStoredBatches>
