/** The host's call `exportWallet`. */
import { exportCalls } from '@latchkey/protocol/host'
import type { CapabilityPorts } from '../../contract/capability.ts'
import { createUserFlows } from '../../contract/user-flows.ts'
import type { ServedHostCalls } from '../../host/host-calls.ts'
import { createExportCall } from './export-wallet.ts'

export function createHostCalls(
  ports: CapabilityPorts,
  browser?: { userAgent: string },
): ServedHostCalls<keyof typeof exportCalls> {
  const begin = createUserFlows(ports)
  return {
    rows: exportCalls,
    handlers: {
      exportWallet: async (_data, { signal }) => begin(createExportCall(ports, browser), signal),
    },
  }
}
