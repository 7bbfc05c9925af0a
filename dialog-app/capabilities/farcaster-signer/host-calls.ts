/** The host's calls `requestFarcasterSigner` and `signFarcasterMessage`. */
import { farcasterSignerCalls } from '@latchkey/protocol/host'
import type { CapabilityPorts } from '../../contract/capability.ts'
import { createUserFlows } from '../../contract/user-flows.ts'
import type { ServedHostCalls } from '../../host/host-calls.ts'
import { hasApp } from '../../phone-app/phone-app.ts'
import { createSignFlow } from './sign-flow.ts'
import { createSignerFlow } from './signer-flow.ts'

export function createHostCalls(
  ports: CapabilityPorts,
  device: { isPhone: boolean } = { isPhone: hasApp(navigator) },
): ServedHostCalls<keyof typeof farcasterSignerCalls> {
  const begin = createUserFlows(ports)
  return {
    rows: farcasterSignerCalls,
    handlers: {
      requestFarcasterSigner: async (_data, { signal }) =>
        begin((handle) => createSignerFlow(ports, device, handle), signal),
      signFarcasterMessage: async ({ hash }, { signal }) =>
        begin((handle) => createSignFlow(ports, hash, handle), signal),
    },
  }
}
