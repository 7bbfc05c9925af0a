/** The host's calls `requestFarcasterSigner` and `signFarcasterMessage`. */
import { farcasterSignerCalls } from '@latchkey/protocol/host'
import type { CapabilityPorts } from '../../contract/capability.ts'
import { createUserFlows } from '../../contract/user-flows.ts'
import type { ServedHostCalls } from '../../host/host-calls.ts'
import { hasApp } from '../../phone-app/phone-app.ts'
import { createSignerCall } from './request-signer.ts'
import { createMessageCall } from './sign-message.ts'

export function createHostCalls(
  ports: CapabilityPorts,
  device: { isPhone: boolean } = { isPhone: hasApp(navigator) },
): ServedHostCalls<keyof typeof farcasterSignerCalls> {
  const begin = createUserFlows(ports)
  return {
    rows: farcasterSignerCalls,
    handlers: {
      requestFarcasterSigner: async (_data, { signal }) => begin(createSignerCall(ports, device), signal),
      signFarcasterMessage: async ({ hash }, { signal }) => begin(createMessageCall(ports, hash), signal),
    },
  }
}
