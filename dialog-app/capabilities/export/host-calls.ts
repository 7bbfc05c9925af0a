/** The host's call `exportWallet`. */
import { exportCalls } from '@latchkey/protocol/host'
import type { CapabilityPorts } from '../../core/capability.ts'
import { type FlowHandle, failed } from '../../core/flow.ts'
import type { MoreServed } from '../../core/host-calls.ts'
import { mustBeAuthenticated } from '../../core/require-user.ts'
import { createExportFlow } from './export-flow.ts'

export function createHostCalls(ports: CapabilityPorts): MoreServed<keyof typeof exportCalls> {
  const { session, stage } = ports
  const open = new Set<FlowHandle<Record<never, never>>>()

  // What is shown goes with its user.
  session.subscribe((state) => {
    if (state.status !== 'visitor') return
    for (const handle of open) handle.end(failed(mustBeAuthenticated()))
  })

  return {
    rows: exportCalls,
    handlers: {
      async exportWallet(_data, { signal }) {
        return stage.begin((handle) => {
          open.add(handle)
          handle.signal.addEventListener('abort', () => open.delete(handle), { once: true })
          return createExportFlow(ports, handle)
        }, signal)
      },
    },
  }
}
