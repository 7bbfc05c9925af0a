/**
 * What the frame does for the page of its origin that the dialog shows: it asks the server, and hands on what is
 * sealed to the page's own vault, or to the server, which is of no use to anybody else.
 */
import { LatchkeyError } from '@latchkey/protocol'
import { walletRoutes } from '@latchkey/protocol/api'
import type { Channel, Handlers, openChannel } from '@latchkey/protocol/channel'
import type { WalletFrameCalls } from '@latchkey/protocol/wallet'
import { untilAborted } from '../abort.ts'
import { assertAddress, pinnedWallet } from '../shares/pinned-wallet.ts'
import type { BroughtKey, CreatedWallet } from '../shares/placed-wallet.ts'
import type { StepCall, WalletPorts } from '../shares/ports.ts'
import { heardOfPages, type PageCalls, pageContract } from './contract.ts'
import type { HeardByPages } from './heard-by-pages.ts'
import { comingSibling, pagePath } from './siblings.ts'

export type PageCall = 'page:begin' | 'page:key' | 'wallet:export' | 'wallet:import'
type Calls = Handlers<WalletFrameCalls>
type Data<N extends PageCall> = Parameters<Calls[N]>[0]
type Stepping = Data<'wallet:export'>

export type Pages = {
  readonly calls: {
    readonly [N in PageCall]: (data: Data<N>, signal: AbortSignal) => Promise<Awaited<ReturnType<Calls[N]>>>
  }
  /** Of the page that shows a key, for what is released to it. */
  readonly state: (
    stated: Omit<Parameters<Calls['operation:state']>[0], 'by'>,
    signal: AbortSignal,
  ) => Promise<{ readonly statement: string }>
}

/** With another import of what the frame has at hand a bundler cuts the frame's script in two. */
export type PagePorts = WalletPorts & {
  readonly openChannel: typeof openChannel
  readonly create: (
    data: Parameters<Calls['wallet:create']>[0],
    signal: AbortSignal,
    brought?: BroughtKey,
  ) => Promise<CreatedWallet>
  readonly stepOf: (data: Stepping, signal: AbortSignal) => StepCall
}

export function createPages(ports: PagePorts): Pages {
  let open: Channel<PageCalls> | undefined

  function present(): Channel<PageCalls> {
    if (open) return open
    throw new LatchkeyError('frame_unresponsive', 'There is no page beside the wallet frame')
  }

  const calls: Pages['calls'] = {
    /** The page may be on its way. One that was there before is no longer spoken with. */
    async 'page:begin'({ page }, signal) {
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

    async 'wallet:export'(data, signal) {
      const page = present()
      const call = ports.stepOf(data, signal)
      const { wallet, authShare } = await call.withFactor((factor) =>
        ports.api(walletRoutes.releaseShares, call, factor),
      )
      assertAddress(wallet, data.address)
      const { operation } = call
      await page.call('open', { wallet: pinnedWallet(ports, wallet), operation, auth: authShare }, { signal })
      return {}
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

  return {
    calls,

    async state({ purpose, userId, ...stated }, signal) {
      if (purpose !== 'export' || userId === null) {
        throw new LatchkeyError('invalid_request_arguments', 'A page states an export of its user')
      }
      return present().call('state', { ...stated, purpose, userId, appId: ports.appId }, { signal })
    },
  }
}
