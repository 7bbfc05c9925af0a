/** A pairing leads from a link to what its dapp wants: one at a time, and nothing that nobody waits for. */
import { LatchkeyError } from '@latchkey/protocol'
import type { Clock } from '../../../browser/ports.ts'
import { orAborted, withDeadline } from '../../../browser/waiting.ts'
import type { DappClient, DappProposal } from '../dapp-client.ts'
import { dappLimits as limits } from '../limits.ts'

export type PairingProblem =
  | 'used'
  | 'expired'
  /** The relay is not there, or will not have us. */
  | 'unreachable'
  /** Nobody answers who made the link. */
  | 'silent'
  /** The dapp says no address, or one of this app. */
  | 'no-address'

export type Pairing = {
  pair: (
    client: DappClient,
    link: { uri: string; topic: string },
    signal: AbortSignal,
  ) => Promise<DappProposal | PairingProblem>
  /** False for a proposal of a link that nobody has pasted just now. */
  took: (proposal: DappProposal) => boolean
  /** The relay will not have us. */
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
  const said = error instanceof Error ? error.message : ''
  if (/already exists/i.test(said)) return 'used'
  return /expired/i.test(said) ? 'expired' : 'unreachable'
}
