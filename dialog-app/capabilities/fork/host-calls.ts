/** The host's call `forkSession`. A fork reaches a host as a code that is used once, and no secret afterwards. */
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
