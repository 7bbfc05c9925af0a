/** The host call `forkSession`. Returns the fork as a one-use code, so the host never receives a token. */
import { sessionRoutes } from '@latchkey/protocol/api'
import { forkCalls } from '@latchkey/protocol/host'
import type { CapabilityPorts } from '../../contract/capability.ts'
import type { ServedHostCalls } from '../../host/host-calls.ts'
import { requireUser } from '../../host/require-user.ts'

export const createHostCalls = (ports: CapabilityPorts): ServedHostCalls<keyof typeof forkCalls> => ({
  rows: forkCalls,
  handlers: {
    async forkSession(_data, caller) {
      await requireUser(ports, caller)
      return ports.api.call(sessionRoutes.createSessionCode, {}, caller)
    },
  },
})
