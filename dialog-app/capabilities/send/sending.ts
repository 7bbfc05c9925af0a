/** The host's calls `sendTransaction` and `signTransaction`. */
import { sendCalls } from '@latchkey/protocol/host'
import type { Fetch } from '../../chains/rpc.ts'
import type { CapabilityPorts } from '../../core/capability.ts'
import type { MoreServed } from '../../core/host-calls.ts'
import { createUserFlows } from '../../core/user-flows.ts'
import { createNonces } from './nonces.ts'
import type { SendRequest, Sent } from './request.ts'
import { createSendFlow, readyToSend } from './send-flow.ts'

export function createSending(
  own: CapabilityPorts,
  fetch: Fetch = (...call) => globalThis.fetch(...call),
): MoreServed<keyof typeof sendCalls> {
  const ports = { ...own, fetch, nonces: createNonces(own.clock) }
  const begin = createUserFlows(ports)

  async function send(request: SendRequest, signal: AbortSignal): Promise<Sent> {
    const ready = await readyToSend(ports, request, signal)
    return begin((handle) => createSendFlow(ports, ready, request, handle), signal)
  }
  return {
    rows: sendCalls,
    handlers: {
      sendTransaction: async (request, { signal, window }) => ({
        receipt: (await send({ ...request, window }, signal)).receipt,
      }),
      signTransaction: async (request, { signal }) => {
        const { signedTransaction } = await send({ ...request, answerWhen: 'signed' }, signal)
        return { signedTransaction }
      },
    },
  }
}
