/** Stores the pending payment, so that a card that opens again continues it. */
import { product } from '@latchkey/protocol'
import { fundingLimits } from '@latchkey/protocol/api'
import * as v from 'valibot'
import type { CapabilityPorts } from '../../contract/capability.ts'

const payment = v.object({ reference: v.string(), address: v.string(), atMs: v.number() })
const stored = v.pipe(v.string(), v.parseJson(), payment)
export type Payment = v.InferOutput<typeof payment>

type Ports = Pick<CapabilityPorts, 'store' | 'clock' | 'settings'>

/** Finds no payment if the browser's storage is unavailable. */
export function rememberedPayment({ store, clock, settings }: Ports, userId: string) {
  const name = () => product.storageName(settings().app.id, 'funding', userId)
  return {
    find(address: string): Payment | undefined {
      const result = v.safeParse(
        stored,
        quietly(() => store.read(name())),
      )
      if (!result.success || result.output.address !== address) return undefined
      const age = clock.nowMs() - result.output.atMs
      return age >= 0 && age < fundingLimits.rememberedMs ? result.output : undefined
    },
    remember: (begun: Payment) => void quietly(() => store.write(name(), JSON.stringify(begun))),
    forget: () => void quietly(() => store.remove(name())),
  }
}

function quietly<T>(run: () => T): T | undefined {
  try {
    return run()
  } catch {
    return undefined
  }
}
