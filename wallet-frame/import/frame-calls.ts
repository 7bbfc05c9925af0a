/** The wallet frame's calls for imports: it connects the dialog, the server and the import page. */
import { LatchkeyError } from '@latchkey/protocol'
import type { Channel, Handlers, openChannel, ServedBy } from '@latchkey/protocol/channel'
import type { WalletFrameCalls } from '@latchkey/protocol/wallet'
import { untilAborted } from '../abort.ts'
import { comingSibling, pagePath } from '../pages/handshake/siblings.ts'
import type { CreatedWallet, ImportedKey } from '../shares/placed-wallet.ts'
import type { WalletPorts } from '../shares/ports.ts'
import {
  type FrameMessages,
  frameMessages,
  type ImportPageMessages,
  importPageContract,
  requireHostKeyImport,
} from './contract.ts'

export type ImportCall = 'page:begin' | 'page:key' | 'page:confirm' | 'wallet:import'
type Calls = Handlers<WalletFrameCalls>
type ImportPage = Channel<ServedBy<ImportPageMessages, FrameMessages>>
type Data<N extends ImportCall> = Parameters<Calls[N]>[0]

export type ImportCalls = {
  [N in ImportCall]: (data: Data<N>, signal: AbortSignal) => Promise<Awaited<ReturnType<Calls[N]>>>
}

/** The calls get the frame's functions as ports: importing them again would make the bundler split the frame's script. */
export type ImportPorts = WalletPorts & {
  /** The server wrote this into the page, so the dialog cannot change it. */
  hostKeyImport: boolean
  openChannel: typeof openChannel
  create: (
    data: Parameters<Calls['wallet:create']>[0],
    signal: AbortSignal,
    importedKey?: ImportedKey,
  ) => Promise<CreatedWallet>
}

export function createImportCalls(ports: ImportPorts): ImportCalls {
  let open: ImportPage | undefined

  function present(): ImportPage {
    if (open) return open
    throw new LatchkeyError('frame_unresponsive', 'There is no page beside the wallet frame')
  }

  return {
    /** The page may be on its way. One that was there before is no longer spoken with. */
    async 'page:begin'({ page }, signal) {
      const window = await comingSibling(pagePath(ports.appId, page), signal)
      open?.destroy()
      const channel = ports.openChannel<FrameMessages, ImportPageMessages>({
        contract: importPageContract,
        side: 'parent',
        receives: frameMessages,
        target: { window, origin: location.origin },
        handlers: {},
      })
      open = channel
      await untilAborted(channel.ready, signal)
      return channel.call('begin', {}, { signal })
    },

    /** Resolves when the user has agreed to the address. */
    async 'page:key'(data, signal) {
      if (data.privateKey) requireHostKeyImport(ports)
      return present().call('key', data, { signal })
    },

    /** Has the device approve the import of the address that the user agreed to. */
    async 'page:confirm'({ userId, ...confirmed }, signal) {
      await present().call('confirm', { digest: confirmed.digest }, { signal })
      return ports.vault.call('approve', { appId: ports.appId, userId, ...confirmed }, signal)
    },

    /** Stores the key like one that the vault created. */
    'wallet:import'(data, signal) {
      const page = present()
      const { address, operation } = data
      const seal = async (vaultKey: string) =>
        (await page.call('seal', { vaultKey, operation }, { signal })).key
      return ports.create(data, signal, { address, seal })
    },
  }
}
