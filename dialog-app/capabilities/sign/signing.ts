/** The host's calls `signMessage`, `signSolanaMessage` and `signTypedData`. */
import { signCalls } from '@latchkey/protocol/host'
import type { CapabilityPorts } from '../../core/capability.ts'
import type { MoreServed } from '../../core/host-calls.ts'
import { createUserFlows } from '../../core/user-flows.ts'
import { checkedMessage, readMessage } from './message.ts'
import type { Signed, SignRequest } from './request.ts'
import { createSignFlow } from './sign-flow.ts'
import { readRequest } from './to-sign.ts'

export function createSigning(ports: CapabilityPorts): MoreServed<keyof typeof signCalls> {
  const begin = createUserFlows(ports)

  async function sign(request: SignRequest, signal: AbortSignal): Promise<Signed> {
    const toSign = await readRequest(ports, request)
    return begin((handle) => createSignFlow(ports, request, toSign, handle), signal)
  }
  return {
    rows: signCalls,
    handlers: {
      signMessage: async ({ message, ...options }, { signal }) =>
        sign({ ...readMessage(message), ...options }, signal),
      signSolanaMessage: async ({ message, ...options }, { signal }) =>
        sign({ kind: 'message', chain: 'solana', message: checkedMessage(message), ...options }, signal),
      signTypedData: async ({ data, ...options }, { signal, window }) =>
        sign({ kind: 'typed-data', data, window, ...options }, signal),
    },
  }
}
