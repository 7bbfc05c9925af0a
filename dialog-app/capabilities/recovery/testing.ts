import { capabilities } from '../index.ts'
import type { RecoveryOutside } from './outside.ts'
import { bringRecovery, recovery } from './recovery.ts'

/** Every capability, with another world outside of this one. */
export const capabilitiesIn = (outside: RecoveryOutside) =>
  capabilities.map((each) =>
    each.name === 'recovery'
      ? { ...recovery, bring: (ports: Parameters<typeof bringRecovery>[0]) => bringRecovery(ports, outside) }
      : each,
  )
