/** The host's calls `signMessage` and `signTypedData`. */
import type { CapabilityPorts } from '../../core/capability.ts'
import { mustBeAuthenticated } from '../../core/require-user.ts'
import type { Signed, SignRequest } from './request.ts'
import { createSignFlow, type SignFlow } from './sign-flow.ts'
import { readRequest } from './to-sign.ts'

export type Sign = (request: SignRequest, signal: AbortSignal) => Promise<Signed>

export function createSigning(ports: CapabilityPorts): Sign {
  const { session, stage } = ports
  /** Those that have not ended: one is shown, others may wait for their turn. */
  const open = new Set<SignFlow>()

  session.subscribe((state) => {
    if (state.status !== 'visitor') return
    for (const flow of open) flow.abandon(mustBeAuthenticated())
  })

  return async (request, signal) => {
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
}
