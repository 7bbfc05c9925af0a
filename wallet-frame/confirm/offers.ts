/**
 * The frame's side of the page of confirmations: which requests the dialog has offered, and who may have the vault
 * approve them. Whatever is offered here, the page shows what the server has, and approves that or nothing.
 */
import { confirmLimits, LatchkeyError } from '@latchkey/protocol'
import type { Handlers, openChannel } from '@latchkey/protocol/channel'
import type { WalletFrameCalls } from '@latchkey/protocol/wallet'
import type { Clock } from '../clock.ts'
import type { OpenedPages } from '../pages/handshake/opened-pages.ts'
import type { WalletPorts } from '../shares/ports.ts'
import { type ConfirmPageMessages, confirmContract, confirmPath, frameMessages } from './contract.ts'

type Offered = Parameters<Handlers<WalletFrameCalls>['confirm:offer']>[0]

type Offer = Offered & { callOff: () => void; isApproved: boolean }

export type OfferPorts = Pick<WalletPorts, 'appId' | 'vault'> & {
  openChannel: typeof openChannel
  clock: Clock
  opened: OpenedPages
  origin: string
}

export type Offers = {
  offer: (offered: Offered) => void
  end: (handle: string) => void
}

/** The names that a page may ask with: the handle, if the card opened it; the host's own name, if the host did. */
const namesOf = ({ handle, window }: Offered) => [handle, ...(window === undefined ? [] : [window])]

export function createOffers({ appId, vault, openChannel, clock, opened, origin }: OfferPorts): Offers {
  const offers = new Map<string, Offer>()

  function end(handle: string) {
    const offer = offers.get(handle)
    if (!offer) return
    offer.callOff()
    offers.delete(handle)
    for (const name of namesOf(offer)) opened.forget(name)
  }

  async function approve(handle: string, digest: string, signal: AbortSignal) {
    const offer = offers.get(handle)
    if (!offer || offer.isApproved) {
      throw new LatchkeyError('not_found', 'This request is not offered any more')
    }
    if (offer.digest !== digest) {
      throw new LatchkeyError('invalid_data', 'What was shown is not what was asked for')
    }
    const { userId } = offer
    const answer = await vault.call('approve', { appId, userId, handle, digest }, signal)
    // An offer is approved once: the page has its answer, and later messages are ignored.
    offer.isApproved = true
    return answer
  }

  return {
    offer(offered) {
      const { handle } = offered
      end(handle)
      const callOff = clock.after(confirmLimits.seconds * 1_000, () => end(handle))
      offers.set(handle, { ...offered, callOff, isApproved: false })
      const connect = (window: Window) =>
        openChannel<typeof frameMessages, ConfirmPageMessages>({
          contract: confirmContract,
          side: 'parent',
          receives: frameMessages,
          target: { window, origin },
          handlers: {
            request: () => ({ handle }),
            approve: ({ digest }, { signal }) => approve(handle, digest, signal),
          },
        })
      for (const name of namesOf(offered)) opened.expect(name, confirmPath(appId), connect)
    },
    end,
  }
}
