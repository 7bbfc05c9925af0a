/**
 * The frame's side of the export windows. The dialog names the wallet and waits. After the user has approved
 * the export, the window's vault receives the released share and the device share.
 */
import { LatchkeyError } from '@latchkey/protocol'
import { walletRoutes } from '@latchkey/protocol/api'
import type { Handlers, ServedBy } from '@latchkey/protocol/channel'
import { exportPath, type WalletFrameCalls } from '@latchkey/protocol/wallet'
import { untilAborted } from '../abort.ts'
import { closedByUser, type OpenedPage, type OpenedPages } from '../pages/handshake/opened-pages.ts'
import { assertAddress, toPinnedWallet } from '../shares/pinned-wallet.ts'
import type { StepCall, WalletPorts } from '../shares/ports.ts'
import { exportWindowContract, type FrameMessages, frameMessages, type WindowMessages } from './contract.ts'

type Calls = Handlers<WalletFrameCalls>
type Data<Name extends keyof Calls> = Parameters<Calls[Name]>[0]

type ExportWindow = {
  address: string
  begun: PromiseWithResolvers<{ publicKey: string }>
  gone: PromiseWithResolvers<void>
  page: OpenedPage<ServedBy<WindowMessages, FrameMessages>>
  /** The public key of the window's vault. */
  publicKey?: string
  /** The user approved the export in the window. */
  isConfirmed: boolean
}
type ReadyWindow = ExportWindow & { publicKey: string }

export type ExportWindowPorts = WalletPorts & { opened: OpenedPages }

export type ExportWindows = {
  begin: (begun: Data<'export:begin'>, signal: AbortSignal) => Promise<{ publicKey: string }>
  confirm: (asked: Data<'export:confirm'>, signal: AbortSignal) => Promise<{ statement: string }>
  /** Signs a statement with the window's vault key, to which the server then seals its share. */
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
  const { appId, api, vault, opened } = ports
  const windows = new Map<string, ExportWindow>()

  const isReady = (one: ExportWindow): one is ReadyWindow => one.publicKey !== undefined
  function getReadyWindow(handle: string): ReadyWindow {
    const one = windows.get(handle)
    if (one && isReady(one)) return one
    throw new LatchkeyError('not_found', 'No such window is open')
  }

  function expectWindow(handle: string, address: string): ExportWindow {
    const page = opened.expect<FrameMessages, WindowMessages>(handle, {
      path: exportPath(appId),
      contract: exportWindowContract,
      receives: frameMessages,
      handlers: {
        begin({ publicKey }) {
          if (isReady(one)) throw new LatchkeyError('not_found', 'The window has already begun')
          one.publicKey = publicKey
          one.begun.resolve({ publicKey })
          return { address }
        },
      },
      onClose: () => forget(handle, one),
    })
    const one: ExportWindow = {
      address,
      begun: Promise.withResolvers(),
      gone: Promise.withResolvers(),
      page,
      isConfirmed: false,
    }
    return one
  }

  function forget(handle: string, one: ExportWindow) {
    if (windows.get(handle) === one) windows.delete(handle)
    one.begun.reject(closedByUser())
    one.gone.resolve()
    opened.forget(handle)
  }

  function end(handle: string, problem?: Data<'export:end'>['problem']) {
    const one = windows.get(handle)
    if (!one) return
    // The window must receive the problem before its channel closes.
    const report = problem && one.page.isOpen() && one.page.call('over', problem).catch(() => {})
    windows.delete(handle)
    if (report) void report.then(() => forget(handle, one))
    else forget(handle, one)
  }

  return {
    async begin({ window: handle, address }, signal) {
      const one = expectWindow(handle, address)
      windows.set(handle, one)
      try {
        return await untilAborted(one.begun.promise, signal)
      } catch (error) {
        if (signal.aborted) end(handle)
        throw error
      }
    },

    async confirm({ window: handle, userId, ...confirmed }, signal) {
      const one = getReadyWindow(handle)
      await one.page.call('confirm', { digest: confirmed.digest }, { signal })
      const signed = await vault.call('approve', { appId, userId, ...confirmed }, signal)
      one.isConfirmed = true
      return signed
    },

    async state(handle, { purpose, userId, ...stated }, signal) {
      const { publicKey: vaultKey } = getReadyWindow(handle)
      if (purpose !== 'export' || userId === null) {
        throw new LatchkeyError('invalid_request_arguments', 'A window states an export of its user')
      }
      return vault.call('stateExport', { ...stated, purpose, userId, appId, vaultKey }, signal)
    },

    async open({ window: handle, address }, call) {
      const one = getReadyWindow(handle)
      const { page, publicKey: vaultKey } = one
      if (!one.isConfirmed) throw new LatchkeyError('not_found', 'The user has not approved this export')
      const { operation, signal } = call
      const { wallet, authShare: auth } = await call.withFactor((factor) =>
        api(walletRoutes.releaseShares, call, factor),
      )
      assertAddress(wallet, address)
      assertAddress(wallet, one.address)
      const pinned = toPinnedWallet(ports, wallet)
      const { device } = await vault.call('sealForExport', { wallet: pinned, operation, vaultKey }, signal)
      await page.call('open', { wallet: pinned, operation, auth, device }, { signal })
    },

    async closed(handle, signal) {
      const one = windows.get(handle)
      if (one) await untilAborted(one.gone.promise, signal)
    },

    end,
  }
}
