/** What this tab keeps of its batches, so that they can be asked for after a reload: bounded in number and time. */
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
const batch = v.object({
  id: v.string(),
  address: v.string(),
  chainId: v.number(),
  atMs: v.number(),
  entries: v.array(entry),
})
export type StoredBatch = v.InferOutput<typeof batch>
const all = v.array(batch)

export function createStoredBatches(tab: KeyValueStore, { nowMs }: Pick<Clock, 'nowMs'>, settings: Settings) {
  const name = product.storageName(settings.app.id, settings.hostOrigin ?? '', 'batches')
  /** A browser that keeps nothing for us leaves them to this page. */
  let kept: readonly StoredBatch[] = read()

  function read(): readonly StoredBatch[] {
    try {
      return v.parse(all, JSON.parse(tab.read(name) ?? '[]'))
    } catch {
      return []
    }
  }
  function keep(next: readonly StoredBatch[]) {
    kept = next
    try {
      tab.write(name, JSON.stringify(next))
    } catch {}
  }
  const living = () => kept.filter(({ atMs }) => nowMs() - atMs < batchLimits.keptSeconds * 1_000)

  return {
    /** A batch is found by its own wallet alone: nobody learns of another user's. */
    find: (id: string, address: string): StoredBatch | undefined =>
      living().find((each) => each.id === id && each.address.toLowerCase() === address.toLowerCase()),
    add: (added: StoredBatch) => keep([...living(), added].slice(-batchLimits.maxKept)),
    sent(id: string, position: number, hash: string) {
      const withHash = (each: StoredBatch): StoredBatch => ({
        ...each,
        entries: each.entries.map((entry, at) => (at === position ? { ...entry, hash } : entry)),
      })
      keep(living().map((each) => (each.id === id ? withHash(each) : each)))
    },
  }
}
export type StoredBatches = ReturnType<typeof createStoredBatches>
