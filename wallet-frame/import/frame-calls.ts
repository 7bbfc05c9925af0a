/** The wallet frame's calls for imports, between the dialog, the server and the import page. */
import { LatchkeyError } from '@latchkey/protocol'
import type { Channel, Handlers, openChannel, ServedBy } from '@latchkey/protocol/channel'
import type { WalletFrameCalls } from '@latchkey/protocol/wallet'
import { untilAborted } from '../abort.ts'
import { pagePath, waitForSibling } from '../pages/handshake/siblings.ts'
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

/**
 * The frame passes its functions as ports: importing them would make the bundler split the frame's script.
 */
export type ImportPorts = WalletPorts & {
  /** Set by the server in the page, so the dialog cannot change it. */
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

  function getPage(): ImportPage {
    if (open) return open
    throw new LatchkeyError('frame_unresponsive', 'No import page is open')
  }

  return {
    /** Connects to the import page, which may still be loading. Closes the channel to a previous page. */
    async 'page:begin'({ page }, signal) {
      const window = await waitForSibling(pagePath(ports.appId, page), signal)
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

    /** Resolves when the user has accepted the address. */
    async 'page:key'(data, signal) {
      if (data.privateKey) requireHostKeyImport(ports)
      return getPage().call('key', data, { signal })
    },

    /** Signs an approval of the import of the address that the user accepted. */
    async 'page:confirm'({ userId, ...confirmed }, signal) {
      await getPage().call('confirm', { digest: confirmed.digest }, { signal })
      return ports.vault.call('approve', { appId: ports.appId, userId, ...confirmed }, signal)
    },

    /** Stores the imported key like a key that the vault created. */
    'wallet:import'(data, signal) {
      const page = getPage()
      const { address, operation } = data
      const seal = async (vaultKey: string) =>
        (await page.call('seal', { vaultKey, operation }, { signal })).key
      return ports.create(data, signal, { address, seal })
    },
  }
}
