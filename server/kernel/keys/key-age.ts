/** How old the keys in use are, for whoever rotates them. */
import { product } from '@latchkey/protocol'
import { type Clock, nowSeconds } from '../ports.ts'
import { gauge } from '../telemetry/instruments.ts'
import type { Keyring } from './keyring.ts'

const age = gauge({
  name: `${product.key}.key.age`,
  unit: 's',
  description: 'Age of the key in use, by what it is for',
  attributes: ['purpose'],
})

/** The answer ends it. */
export const watchKeyAges = (keyring: Pick<Keyring, 'createdAt'>, clock: Clock): (() => void) =>
  age.observe(() =>
    Object.entries(keyring.createdAt()).map(([purpose, createdAt]) => ({
      value: nowSeconds(clock) - createdAt,
      values: { purpose },
    })),
  )
