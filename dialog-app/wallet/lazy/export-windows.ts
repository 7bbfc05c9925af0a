/** What the dialog asks of a window of the wallet's origin in which a user sees their key. */
import { LatchkeyError, walletLimits } from '@latchkey/protocol'
import type { CallInput, CallOutput } from '@latchkey/protocol/channel'
import type { OpenedPage, WalletFrameCalls } from '@latchkey/protocol/wallet'
import type { NextWindow, WalletFrame } from '../frame.ts'

type Input<Name extends keyof WalletFrameCalls> = CallInput<WalletFrameCalls[Name]>
type Output<Name extends keyof WalletFrameCalls> = CallOutput<WalletFrameCalls[Name]>

export type ExportWindows = {
  next: (address: string) => NextWindow
  /** Waits until it is there. */
  begin: (begun: Input<'export:begin'>, signal: AbortSignal) => Promise<Output<'export:begin'>>
  /** Waits until its user has said there that they want to see the key. */
  confirm: (
    asked: Omit<Input<'export:confirm'>, 'userId'>,
    signal: AbortSignal,
  ) => Promise<Output<'export:confirm'>>
  /** Waits until it is closed. */
  closed: (window: string, signal: AbortSignal) => Promise<void>
  /** Nobody hears whether it did. */
  end: (ended: Input<'export:end'>) => void
}

type Ports = {
  frame: WalletFrame
  /** 32 random bytes. */
  newHandle: () => string
  buttonUrl: (page: OpenedPage, handle: string, address: string) => string
}

export function createExportWindows(
  { frame, newHandle, buttonUrl }: Ports,
  presentUserId: () => string | undefined,
): ExportWindows {
  const ready = (signal?: AbortSignal) => frame.ready(walletLimits.frameReadyImperativeMs, { signal })
  return {
    next(address) {
      const handle = newHandle()
      return { handle, buttonUrl: buttonUrl('embedded-wallets/export', handle, address) }
    },
    begin: async (begun, signal) => (await ready(signal)).call('export:begin', begun, { signal }),
    async confirm(asked, signal) {
      const userId = presentUserId()
      if (userId === undefined) throw new LatchkeyError('must_be_authenticated', 'Nobody is logged in')
      return (await ready(signal)).call('export:confirm', { ...asked, userId }, { signal })
    },
    async closed(window, signal) {
      await (await ready(signal)).call('export:closed', { window }, { signal })
    },
    end: (ended) =>
      void ready()
        .then((channel) => channel.call('export:end', ended))
        .catch(() => {}),
  }
}
