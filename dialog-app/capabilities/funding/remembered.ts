/** The payment that a user has begun, so that a card that is opened again goes on where it was. */
import { product } from '@latchkey/protocol'
import { fundingLimits } from '@latchkey/protocol/api'
import * as v from 'valibot'
import type { CapabilityPorts } from '../../contract/capability.ts'

const payment = v.object({ reference: v.string(), address: v.string(), atMs: v.number() })
const stored = v.pipe(v.string(), v.parseJson(), payment)
export type Payment = v.InferOutput<typeof payment>

type Ports = Pick<CapabilityPorts, 'store' | 'clock' | 'settings'>

/** A browser that keeps nothing has none. */
export function rememberedPayment({ store, clock, settings }: Ports, userId: string) {
  const name = () => product.storageName(settings().app.id, 'funding', userId)
  return {
    find(address: string): Payment | undefined {
      const found = v.safeParse(
        stored,
        quietly(() => store.read(name())),
      )
      if (!found.success || found.output.address !== address) return undefined
      const age = clock.nowMs() - found.output.atMs
      return age >= 0 && age < fundingLimits.rememberedMs ? found.output : undefined
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
