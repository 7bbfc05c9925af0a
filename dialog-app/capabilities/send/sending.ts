/** The host's calls `sendTransaction` and `signTransaction`. */

import { sendCalls } from '@latchkey/protocol/host'
import type { Fetch } from '../../chains/rpc.ts'
import type { CapabilityPorts } from '../../core/capability.ts'
import type { MoreServed } from '../../core/host-calls.ts'
import { mustBeAuthenticated } from '../../core/require-user.ts'
import type { SendRequest, Sent } from './request.ts'
import { createSendFlow, readyToSend } from './send-flow.ts'

type SendFlow = ReturnType<typeof createSendFlow>

export function createSending(
  own: CapabilityPorts,
  fetch: Fetch = (...call) => globalThis.fetch(...call),
): MoreServed<keyof typeof sendCalls> {
  const ports = { ...own, fetch }
  const { session, stage } = ports
  /** Those that have not ended: one is shown, others may wait for their turn. */
  const open = new Set<SendFlow>()

  session.subscribe((state) => {
    if (state.status !== 'visitor') return
    for (const flow of open) flow.abandon(mustBeAuthenticated())
  })

  async function send(request: SendRequest, signal: AbortSignal): Promise<Sent> {
    const ready = await readyToSend(ports, request, signal)
    let flow: SendFlow | undefined
    try {
      return await stage.begin<Sent>((handle) => {
        flow = createSendFlow(ports, ready, request, handle)
        open.add(flow)
        return flow
      }, signal)
    } finally {
      if (flow) open.delete(flow)
    }
  }
  return {
    rows: sendCalls,
    handlers: {
      sendTransaction: async (request, { signal }) => ({ receipt: (await send(request, signal)).receipt }),
      signTransaction: async (request, { signal }) => {
        const { signedTransaction } = await send({ ...request, answerWhen: 'signed' }, signal)
        return { signedTransaction }
      },
    },
  }
}
