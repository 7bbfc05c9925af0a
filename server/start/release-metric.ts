import { product } from '@latchkey/protocol'
import type { Release } from '../kernel/config.ts'
import { gauge } from '../kernel/telemetry/instruments.ts'

const buildInfo = gauge({
  name: `${product.key}.build.info`,
  unit: '{process}',
  description: 'The release of this process in its labels; the value is always 1',
  attributes: ['version', 'commit'],
})

/** Returns a function that removes the metric. */
export const watchRelease = ({ version, commit }: Release): (() => void) =>
  buildInfo.observe(() => [{ value: 1, values: { version, commit } }])
