/** The host's call `setWalletRecovery`. */
import { recoveryCalls } from '@latchkey/protocol/host'
import type { CapabilityPorts } from '../../contract/capability.ts'
import type { ServedHostCalls } from '../../host/host-calls.ts'
import type { RecoveryOutside } from './outside.ts'
import { createSetRecoveryCall } from './set-recovery.ts'

export const createHostCalls = (
  ports: CapabilityPorts,
  outside?: RecoveryOutside,
): ServedHostCalls<keyof typeof recoveryCalls> => ({
  rows: recoveryCalls,
  handlers: {
    setWalletRecovery: async (_data, { signal }) => ({
      wallet: await ports.stage.begin(createSetRecoveryCall(ports, outside), signal),
    }),
  },
})
