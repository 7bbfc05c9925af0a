/** Flows in a user's name: a logout ends those that have not ended, shown or still waiting for their turn. */

import { type Flow, failed } from '../flow/flow.ts'
import { mustBeAuthenticated } from '../host/require-user.ts'
import type { CapabilityPorts } from './capability.ts'

export type BeginForUser = <Outcome>(flow: Flow<Outcome>, signal: AbortSignal) => Promise<Outcome>

export function createUserFlows({
  session,
  stage,
}: Pick<CapabilityPorts, 'session' | 'stage'>): BeginForUser {
  const ends = new Set<() => void>()

  session.subscribe((state) => {
    if (state.status !== 'visitor') return
    for (const end of ends) end()
  })

  return async (flow, signal) => {
    let own: (() => void) | undefined
    try {
      return await stage.begin((handle) => {
        const running = flow(handle)
        own = () => handle.end(running.whatIsDone?.() ?? failed(mustBeAuthenticated()))
        ends.add(own)
        return running
      }, signal)
    } finally {
      if (own) ends.delete(own)
    }
  }
}
