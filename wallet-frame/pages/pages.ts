/**
 * What the frame does for the page of its origin that the dialog shows: it asks the server, and hands on what is
 * sealed to the page's own vault, or to the server, which is of no use to anybody else.
 */
import { LatchkeyError } from '@latchkey/protocol'
import { walletRoutes } from '@latchkey/protocol/api'
import type { Channel, openChannel } from '@latchkey/protocol/channel'
import type { SealedShare, WalletPage } from '@latchkey/protocol/wallet'
import { untilAborted } from '../abort.ts'
import { assertAddress, pinnedWallet } from '../shares/pinned-wallet.ts'
import type { StepCall } from '../shares/ports.ts'
import { type HeardByPages, heardOfPages, type PageCalls, pageContract } from './contract.ts'
import { type ImportPorts, importWallet } from './import-wallet.ts'
import { comingSibling, pagePath } from './siblings.ts'

export type Pages = ReturnType<typeof createPages>

/** The frame's own, which it has at hand: with another import of it a bundler cuts the frame's script in two. */
export type PagePorts = ImportPorts & { readonly openChannel: typeof openChannel }

export function createPages(ports: PagePorts) {
  let open: Channel<PageCalls> | undefined

  function present(): Channel<PageCalls> {
    if (open) return open
    throw new LatchkeyError('frame_unresponsive', 'There is no page beside the wallet frame')
  }

  return {
    /** The page may be on its way. One that was there before is no longer spoken with. */
    async begin(page: WalletPage, signal: AbortSignal): Promise<{ readonly publicKey: string }> {
      const window = await comingSibling(pagePath(ports.appId, page), signal)
      open?.destroy()
      const channel = ports.openChannel<typeof heardOfPages, HeardByPages>({
        contract: pageContract,
        side: 'parent',
        hears: heardOfPages,
        target: { window, origin: location.origin },
        handlers: {},
      })
      open = channel
      await untilAborted(channel.ready, signal)
      return channel.call('begin', {}, { signal })
    },

    async exportWallet(call: StepCall, address: string): Promise<void> {
      const page = present()
      const { operation, signal } = call
      const { wallet, authShare } = await call.withFactor((factor) =>
        ports.api(walletRoutes.releaseShares, call, factor),
      )
      assertAddress(wallet, address)
      await page.call('open', { wallet: pinnedWallet(ports, wallet), operation, auth: authShare }, { signal })
    },

    /** When the user has said yes to it. */
    keyOf: (given: { readonly privateKey?: SealedShare }, signal: AbortSignal) =>
      present().call('key', given, { signal }),

    importWallet: (call: StepCall, address: string) => importWallet(ports, present(), call, address),
  }
}
