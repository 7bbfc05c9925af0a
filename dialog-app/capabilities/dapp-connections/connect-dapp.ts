/** Connects a dapp by its link, if the user agrees. Resolves with the name of the dapp. */
import { createCall } from '../../app/screen-stack.ts'
import type { DialogServices } from '../../app/services.ts'
import { rejectedError } from '../../approval/rejection.ts'
import { done, type Flow, failed } from '../../flow/flow.ts'
import type { Connections, Offer } from './connections.ts'
import { connectScreen, proposalScreen } from './screens.ts'

export const connectDapp = (
  services: DialogServices,
  { propose }: Pick<Connections, 'propose'>,
): Flow<string | undefined> =>
  createCall<string | undefined>(
    services,
    { kind: 'dapp_connection', onClose: () => failed(rejectedError()), onBack: () => done(undefined) },
    async ({ open, signal }) => {
      for (;;) {
        const proposal = await open(connectScreen, {
          async propose(link) {
            const proposed = await propose(link, signal)
            // The user left meanwhile.
            if (signal.aborted && proposed.is === 'offer') proposed.offer.refuse()
            return proposed
          },
        })
        const dapp =
          proposal.is === 'offer' ? await askUser(proposal.offer) : await open(proposalScreen, { proposal })
        if (dapp) return dapp.name
      }

      /** Refuses the offer if the user leaves without a decision while the dapp still waits. */
      async function askUser(offer: Offer) {
        let isAccepted = false
        const accept = () => {
          isAccepted = true
          return offer.accept()
        }
        try {
          return await open(proposalScreen, { proposal: { is: 'offer', offer: { ...offer, accept } } })
        } catch (error) {
          if (!isAccepted && services.clock.nowMs() < offer.expiresAtMs) offer.refuse()
          throw error
        }
      }
    },
  )
