/**
 * The frame's side of the page of confirmations: which requests the dialog has offered, and who may have the vault
 * approve them. Whatever is offered here, the page shows what the server has, and approves that or nothing.
 */
import { confirmLimits, LatchkeyError } from '@latchkey/protocol'
import type { Channel, Handlers, openChannel } from '@latchkey/protocol/channel'
import type { WalletFrameCalls } from '@latchkey/protocol/wallet'
import type { Clock } from '../clock.ts'
import type { WalletPorts } from '../shares/ports.ts'
import {
  confirmContract,
  confirmMessages,
  confirmPath,
  type HeardByConfirmPage,
  handleIn,
  heardByFrame,
  hereOf,
} from './contract.ts'

type Offered = Parameters<Handlers<WalletFrameCalls>['confirm:offer']>[0]

type Offer = Offered & {
  readonly callOff: () => void
  /** Of the one page that asked for it. */
  page?: { readonly destroy: () => void }
}

export type OfferPorts = Pick<WalletPorts, 'appId' | 'vault'> & {
  readonly openChannel: typeof openChannel
  readonly clock: Clock
  /** What is said to this window. */
  readonly onMessage: (hear: (message: Pick<MessageEvent, 'data' | 'origin' | 'source'>) => void) => void
  readonly origin: string
}

export type Offers = {
  readonly offer: (offered: Offered) => void
  readonly end: (handle: string) => void
}

export function createOffers({ appId, vault, openChannel, clock, onMessage, origin }: OfferPorts): Offers {
  const offers = new Map<string, Offer>()

  function end(handle: string) {
    const offer = offers.get(handle)
    offers.delete(handle)
    offer?.callOff()
    offer?.page?.destroy()
  }

  async function approve(handle: string, digest: string, signal: AbortSignal) {
    const offer = offers.get(handle)
    if (!offer) throw new LatchkeyError('not_found', 'This request is not offered any more')
    if (offer.digest !== digest) {
      throw new LatchkeyError('invalid_data', 'What was shown is not what was asked for')
    }
    const { userId } = offer
    const answer = await vault.ask('approve', { appId, userId, handle, digest }, signal)
    // Once: the page has it, and nothing more is said.
    offers.delete(handle)
    offer.callOff()
    return answer
  }

  onMessage(({ data, origin: from, source }) => {
    if (from !== origin) return
    const handle = handleIn(data, confirmMessages.hello)
    const offer = handle === undefined ? undefined : offers.get(handle)
    if (!offer || offer.page || !isConfirmPage(source)) return
    const channel: Channel<Record<never, never>> = openChannel<typeof heardByFrame, HeardByConfirmPage>({
      contract: confirmContract,
      side: 'parent',
      hears: heardByFrame,
      target: { window: source, origin },
      handlers: { approve: ({ digest }, { signal }) => approve(offer.handle, digest, signal) },
    })
    offer.page = channel
    source.postMessage(hereOf(offer.handle), { targetOrigin: origin })
  })

  /** At the top of its window, and that page: of another origin it shows neither. */
  function isConfirmPage(source: MessageEventSource | null): source is Window {
    try {
      const page = source as Window | null
      return page !== null && page.top === page && page.location.pathname === confirmPath(appId)
    } catch {
      return false
    }
  }

  return {
    offer(offered) {
      end(offered.handle)
      const callOff = clock.after(confirmLimits.seconds * 1_000, () => end(offered.handle))
      offers.set(offered.handle, { ...offered, callOff })
    },
    end,
  }
}
