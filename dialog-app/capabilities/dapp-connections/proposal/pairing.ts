/** Pairs with a link, and returns the proposal of its dapp. Only the latest pairing accepts a proposal. */
import { LatchkeyError } from '@latchkey/protocol'
import type { Clock } from '../../../browser/ports.ts'
import { orAborted, withDeadline } from '../../../browser/waiting.ts'
import type { DappClient, DappProposal } from '../dapp-client.ts'
import { dappLimits as limits } from '../limits.ts'

export type PairingProblem =
  | 'used'
  | 'expired'
  /** The relay is unreachable, or refuses this app. */
  | 'unreachable'
  /** The dapp does not respond. */
  | 'silent'
  /** The dapp claims no valid origin, or an origin of this app. */
  | 'no-address'

export type Pairing = {
  pair: (
    client: DappClient,
    link: { uri: string; topic: string },
    signal: AbortSignal,
  ) => Promise<DappProposal | PairingProblem>
  /** Returns false for a proposal that does not belong to the pasted link. */
  took: (proposal: DappProposal) => boolean
  /** Called when the relay refuses this app. */
  refused: (why: string) => void
}

export function createPairing(clock: Clock): Pairing {
  let awaited: { topic: string; proposed: (proposal: DappProposal) => void } | undefined
  let refusedByRelay = (_why: string) => {}

  return {
    took(proposal) {
      if (awaited?.topic !== proposal.pairingTopic) return false
      awaited.proposed(proposal)
      return true
    },
    refused: (why) => refusedByRelay(why),
    async pair(client, { uri, topic }, signal) {
      const proposed = Promise.withResolvers<DappProposal>()
      const refused = new Promise<never>((_, reject) => {
        refusedByRelay = (why) => reject(new LatchkeyError('server_unreachable', `The relay refused: ${why}`))
      })
      refused.catch(() => {})
      awaited = { topic, proposed: proposed.resolve }
      try {
        const paired = orAborted(Promise.race([client.pair(uri), refused]), signal)
        await withDeadline(clock, limits.relayMs, paired, late)
      } catch (error) {
        awaited = undefined
        return pairingProblem(error)
      }
      try {
        const came = orAborted(Promise.race([proposed.promise, refused]), signal)
        return await withDeadline(clock, limits.proposalMs, came, late)
      } catch {
        return 'silent'
      } finally {
        awaited = undefined
      }
    },
  }
}

const late = () => new LatchkeyError('server_unreachable', 'Nobody answered in time')

function pairingProblem(error: unknown): PairingProblem {
  const message = error instanceof Error ? error.message : ''
  if (/already exists/i.test(message)) return 'used'
  return /expired/i.test(message) ? 'expired' : 'unreachable'
}
