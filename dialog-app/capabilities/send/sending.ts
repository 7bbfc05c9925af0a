/** The host's call `sendTransaction`. */
import { sendCalls } from '@latchkey/protocol/host'
import type { Fetch } from '../../chains/rpc.ts'
import type { CapabilityPorts } from '../../core/capability.ts'
import type { MoreServed } from '../../core/host-calls.ts'
import { createUserFlows } from '../../core/user-flows.ts'
import type { Receipt, SendRequest } from './request.ts'
import { createSendFlow, readyToSend } from './send-flow.ts'

export function createSending(
  own: CapabilityPorts,
  fetch: Fetch = (...call) => globalThis.fetch(...call),
): MoreServed<keyof typeof sendCalls> {
  const ports = { ...own, fetch }
  const begin = createUserFlows(ports)

  async function sendTransaction(request: SendRequest, signal: AbortSignal): Promise<Receipt> {
    const ready = await readyToSend(ports, request, signal)
    return begin((handle) => createSendFlow(ports, ready, request, handle), signal)
  }
  return {
    rows: sendCalls,
    handlers: {
      sendTransaction: async (request, { signal }) => ({ receipt: await sendTransaction(request, signal) }),
    },
  }
}
