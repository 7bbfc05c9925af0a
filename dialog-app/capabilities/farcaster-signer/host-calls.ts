/** The host's calls `requestFarcasterSigner` and `signFarcasterMessage`. */
import { farcasterSignerCalls } from '@latchkey/protocol/host'
import type { CapabilityPorts } from '../../core/capability.ts'
import type { MoreServed } from '../../core/host-calls.ts'
import { hasApp } from '../../core/phone-app.ts'
import { createUserFlows } from '../../core/user-flows.ts'
import { createSignFlow } from './sign-flow.ts'
import { createSignerFlow } from './signer-flow.ts'

export function createHostCalls(
  ports: CapabilityPorts,
  device: { readonly isPhone: boolean } = { isPhone: hasApp(navigator) },
): MoreServed<keyof typeof farcasterSignerCalls> {
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
