/**
 * The frame's side of the windows in which users see the keys of their wallets: the dialog says which wallet it is about
 * and waits; what the server releases, and the share of this device, go to the vault of the window in which its user said
 * that they want to see the key.
 */
import { LatchkeyError } from '@latchkey/protocol'
import { walletRoutes } from '@latchkey/protocol/api'
import type { Channel, Handlers, openChannel, ServedBy } from '@latchkey/protocol/channel'
import { exportPath, type WalletFrameCalls } from '@latchkey/protocol/wallet'
import { untilAborted } from '../abort.ts'
import { closedByUser, rejectIfClosed } from '../pages/handshake/closed-window.ts'
import type { OpenedPages } from '../pages/handshake/opened-pages.ts'
import { assertAddress, pinnedWallet } from '../shares/pinned-wallet.ts'
import type { StepCall, WalletPorts } from '../shares/ports.ts'
import { exportWindowContract, type FrameMessages, frameMessages, type WindowMessages } from './contract.ts'

type Calls = Handlers<WalletFrameCalls>
type Data<Name extends keyof Calls> = Parameters<Calls[Name]>[0]

type Opened = {
  address: string
  found: PromiseWithResolvers<{ publicKey: string }>
  gone: PromiseWithResolvers<void>
  channel?: Channel<ServedBy<WindowMessages, FrameMessages>>
  /** The public key of the window's vault. */
  publicKey?: string
  /** Its user has pressed to see the key. */
  isConfirmed: boolean
}
type Present = Opened & Required<Pick<Opened, 'channel' | 'publicKey'>>

export type ExportWindowPorts = WalletPorts & {
  openChannel: typeof openChannel
  opened: OpenedPages
  origin: string
}

export type ExportWindows = {
  begin: (begun: Data<'export:begin'>, signal: AbortSignal) => Promise<{ publicKey: string }>
  confirm: (asked: Data<'export:confirm'>, signal: AbortSignal) => Promise<{ statement: string }>
  /** Has the device state the key of that window's vault, to which the server seals its share. */
  state: (
    handle: string,
    stated: Omit<Data<'operation:state'>, 'window'>,
    signal: AbortSignal,
  ) => Promise<{ statement: string }>
  open: (data: Data<'wallet:export'>, call: StepCall) => Promise<void>
  closed: (handle: string, signal: AbortSignal) => Promise<void>
  end: (handle: string, problem?: Data<'export:end'>['problem']) => void
}

export function createExportWindows(ports: ExportWindowPorts): ExportWindows {
  const { appId, api, vault, openChannel, opened, origin } = ports
  const windows = new Map<string, Opened>()

  function isPresent(one: Opened): one is Present {
    return one.channel !== undefined && one.publicKey !== undefined
  }
  function present(handle: string): Present {
    const one = windows.get(handle)
    if (one && isPresent(one)) return one
    throw new LatchkeyError('not_found', 'No such window is open')
  }

  function listen(handle: string, one: Opened) {
    opened.expect(handle, exportPath(appId), (window) => {
      const channel = openChannel<FrameMessages, WindowMessages>({
        contract: exportWindowContract,
        side: 'parent',
        receives: frameMessages,
        target: { window, origin },
        handlers: {
          begin({ publicKey }) {
            if (one.publicKey !== undefined) throw new LatchkeyError('not_found', 'It has begun already')
            one.publicKey = publicKey
            one.found.resolve({ publicKey })
            return { address: one.address }
          },
        },
        // The user has closed it, or it went elsewhere.
        onClose: () => forget(handle, one),
      })
      one.channel = channel
      return channel
    })
  }

  function forget(handle: string, one: Opened) {
    if (windows.get(handle) === one) windows.delete(handle)
    one.found.reject(closedByUser())
    one.gone.resolve()
    opened.forget(handle)
  }

  function end(handle: string, problem?: Data<'export:end'>['problem']) {
    const one = windows.get(handle)
    if (!one) return
    // The window gets the problem before its channel is closed.
    const told = problem && one.channel?.call('over', problem).catch(() => {})
    windows.delete(handle)
    if (told) void told.then(() => forget(handle, one))
    else forget(handle, one)
  }

  return {
    async begin({ window: handle, address }, signal) {
      const one: Opened = {
        address,
        found: Promise.withResolvers(),
        gone: Promise.withResolvers(),
        isConfirmed: false,
      }
      windows.set(handle, one)
      listen(handle, one)
      try {
        return await untilAborted(one.found.promise, signal)
      } catch (error) {
        if (signal.aborted) end(handle)
        throw error
      }
    },

    async confirm({ window: handle, userId, ...confirmed }, signal) {
      const one = present(handle)
      await rejectIfClosed(one.channel.call('confirm', { digest: confirmed.digest }, { signal }))
      const signed = await vault.call('approve', { appId, userId, ...confirmed }, signal)
      one.isConfirmed = true
      return signed
    },

    async state(handle, { purpose, userId, ...stated }, signal) {
      const { publicKey: vaultKey } = present(handle)
      if (purpose !== 'export' || userId === null) {
        throw new LatchkeyError('invalid_request_arguments', 'A window states an export of its user')
      }
      return vault.call('stateExport', { ...stated, purpose, userId, appId, vaultKey }, signal)
    },

    async open({ window: handle, address }, call) {
      const one = present(handle)
      const { channel, publicKey: vaultKey } = one
      if (!one.isConfirmed) throw new LatchkeyError('not_found', 'Nobody said there that they want to see it')
      const { operation, signal } = call
      const { wallet, authShare: auth } = await call.withFactor((factor) =>
        api(walletRoutes.releaseShares, call, factor),
      )
      assertAddress(wallet, address)
      assertAddress(wallet, one.address)
      const pinned = pinnedWallet(ports, wallet)
      const { device } = await vault.call('sealForExport', { wallet: pinned, operation, vaultKey }, signal)
      await rejectIfClosed(channel.call('open', { wallet: pinned, operation, auth, device }, { signal }))
    },

    async closed(handle, signal) {
      const one = windows.get(handle)
      if (one) await untilAborted(one.gone.promise, signal)
    },

    end,
  }
}
