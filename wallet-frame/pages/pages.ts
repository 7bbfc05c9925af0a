/** What the frame does for the page of its origin that takes a key: it asks the server, and hands on what is sealed. */
import { LatchkeyError } from '@latchkey/protocol'
import type { Channel, Handlers, openChannel } from '@latchkey/protocol/channel'
import type { WalletFrameCalls } from '@latchkey/protocol/wallet'
import { untilAborted } from '../abort.ts'
import type { BroughtKey, CreatedWallet } from '../shares/placed-wallet.ts'
import type { WalletPorts } from '../shares/ports.ts'
import { heardOfPages, type PageCalls, pageContract } from './contract.ts'
import type { HeardByImportPage } from './heard-by-pages.ts'
import { comingSibling, pagePath } from './siblings.ts'

export type PageCall = 'page:begin' | 'page:key' | 'wallet:import'
type Calls = Handlers<WalletFrameCalls>
type Data<N extends PageCall> = Parameters<Calls[N]>[0]

export type Pages = {
  readonly [N in PageCall]: (data: Data<N>, signal: AbortSignal) => Promise<Awaited<ReturnType<Calls[N]>>>
}

/** Pages get the frame's functions as ports: importing them again would make the bundler split the frame's script. */
export type PagePorts = WalletPorts & {
  readonly openChannel: typeof openChannel
  readonly create: (
    data: Parameters<Calls['wallet:create']>[0],
    signal: AbortSignal,
    brought?: BroughtKey,
  ) => Promise<CreatedWallet>
}

export function createPages(ports: PagePorts): Pages {
  let open: Channel<PageCalls> | undefined

  function present(): Channel<PageCalls> {
    if (open) return open
    throw new LatchkeyError('frame_unresponsive', 'There is no page beside the wallet frame')
  }

  return {
    /** The page may be on its way. One that was there before is no longer spoken with. */
    async 'page:begin'({ page }, signal) {
      const window = await comingSibling(pagePath(ports.appId, page), signal)
      open?.destroy()
      const channel = ports.openChannel<typeof heardOfPages, HeardByImportPage>({
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

    /** When the user has said yes to it. */
    'page:key': (given, signal) => present().call('key', given, { signal }),

    /** It is kept as one that is made here: only where the secret comes from is another. */
    'wallet:import'(data, signal) {
      const page = present()
      const { address, operation } = data
      const seal = async (vaultKey: string) =>
        (await page.call('seal', { vaultKey, operation }, { signal })).key
      return ports.create(data, signal, { address, seal })
    },
  }
}
