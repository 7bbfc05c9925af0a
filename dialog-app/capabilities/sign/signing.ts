/** The host's calls `signMessage`, `signSolanaMessage` and `signTypedData`. */
import { signCalls } from '@latchkey/protocol/host'
import type { CapabilityPorts } from '../../core/capability.ts'
import type { MoreServed } from '../../core/host-calls.ts'
import { mustBeAuthenticated } from '../../core/require-user.ts'
import { checkedMessage } from './message.ts'
import type { Signed, SignRequest } from './request.ts'
import { createSignFlow, type SignFlow } from './sign-flow.ts'
import { readRequest } from './to-sign.ts'

export function createSigning(ports: CapabilityPorts): MoreServed<keyof typeof signCalls> {
  const { session, stage } = ports
  /** Those that have not ended: one is shown, others may wait for their turn. */
  const open = new Set<SignFlow>()

  session.subscribe((state) => {
    if (state.status !== 'visitor') return
    for (const flow of open) flow.abandon(mustBeAuthenticated())
  })

  async function sign(request: SignRequest, signal: AbortSignal): Promise<Signed> {
    const toSign = await readRequest(ports, request)
    let flow: SignFlow | undefined
    try {
      return await stage.begin<Signed>((handle) => {
        flow = createSignFlow(ports, request, toSign, handle)
        open.add(flow)
        return flow
      }, signal)
    } finally {
      if (flow) open.delete(flow)
    }
  }
  return {
    rows: signCalls,
    handlers: {
      signMessage: async ({ message, ...options }, { signal }) =>
        sign({ kind: 'message', chain: 'ethereum', message: checkedMessage(message), ...options }, signal),
      signSolanaMessage: async ({ message, ...options }, { signal }) =>
        sign({ kind: 'message', chain: 'solana', message: checkedMessage(message), ...options }, signal),
      signTypedData: async ({ data, ...options }, { signal }) =>
        sign({ kind: 'typed-data', data, ...options }, signal),
    },
  }
}
