/**
 * The frame's side of the confirmation page: the requests that the dialog has offered, and their approval by
 * the vault. Regardless of the offer, the page shows the server's request and approves only that.
 */
import { confirmLimits, LatchkeyError } from '@latchkey/protocol'
import type { Handlers } from '@latchkey/protocol/channel'
import type { WalletFrameCalls } from '@latchkey/protocol/wallet'
import type { Clock } from '../clock.ts'
import type { OpenedPages } from '../pages/handshake/opened-pages.ts'
import type { WalletPorts } from '../shares/ports.ts'
import { type ConfirmPageMessages, confirmContract, confirmPath, frameMessages } from './contract.ts'

type OfferData = Parameters<Handlers<WalletFrameCalls>['confirm:offer']>[0]

type Offer = OfferData & { cancelExpiry: () => void; isApproved: boolean }

export type OfferPorts = Pick<WalletPorts, 'appId' | 'vault'> & {
  clock: Clock
  opened: OpenedPages
}

export type Offers = {
  offer: (offered: OfferData) => void
  end: (handle: string) => void
}

/**
 * Returns the names with which a page may connect: the handle if the card opened it, the host's name if the
 * host did.
 */
const getPageNames = ({ handle, window }: OfferData) => [handle, ...(window === undefined ? [] : [window])]

export function createOffers({ appId, vault, clock, opened }: OfferPorts): Offers {
  const offers = new Map<string, Offer>()

  function end(handle: string) {
    const offer = offers.get(handle)
    if (!offer) return
    offer.cancelExpiry()
    offers.delete(handle)
    for (const name of getPageNames(offer)) opened.forget(name)
  }

  async function approve(handle: string, digest: string, signal: AbortSignal) {
    const offer = offers.get(handle)
    if (!offer || offer.isApproved) {
      throw new LatchkeyError('not_found', 'This request is no longer offered')
    }
    if (offer.digest !== digest) {
      throw new LatchkeyError('invalid_data', 'The digest does not match the offered request')
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
      const cancelExpiry = clock.after(confirmLimits.seconds * 1_000, () => end(handle))
      offers.set(handle, { ...offered, cancelExpiry, isApproved: false })
      for (const name of getPageNames(offered)) {
        opened.expect<typeof frameMessages, ConfirmPageMessages>(name, {
          path: confirmPath(appId),
          contract: confirmContract,
          receives: frameMessages,
          handlers: {
            request: () => ({ handle }),
            approve: ({ digest }, { signal }) => approve(handle, digest, signal),
          },
        })
      }
    },
    end,
  }
}
