/** The dialog's calls for the export page, on which users see their private keys. */
import { LatchkeyError, walletLimits } from '@latchkey/protocol'
import type { CallInput, CallOutput } from '@latchkey/protocol/channel'
import type { OpenedPage, WalletFrameCalls } from '@latchkey/protocol/wallet'
import type { NextWindow, WalletFrame } from '../frame.ts'

type Input<Name extends keyof WalletFrameCalls> = CallInput<WalletFrameCalls[Name]>
type Output<Name extends keyof WalletFrameCalls> = CallOutput<WalletFrameCalls[Name]>

export type ExportWindows = {
  next: (address: string) => NextWindow
  /** Resolves when the page is open. */
  begin: (input: Input<'export:begin'>, signal: AbortSignal) => Promise<Output<'export:begin'>>
  /** Resolves when the user has confirmed on the page that they want to see the key. */
  confirm: (
    input: Omit<Input<'export:confirm'>, 'userId'>,
    signal: AbortSignal,
  ) => Promise<Output<'export:confirm'>>
  /** Resolves when the page is closed. */
  closed: (window: string, signal: AbortSignal) => Promise<void>
  /** Closes the page; failures are ignored. */
  end: (input: Input<'export:end'>) => void
}

type Ports = {
  frame: WalletFrame
  /** 32 random bytes. */
  newHandle: () => string
  buttonUrl: (page: OpenedPage, handle: string, address: string) => string
}

export function createExportWindows(
  { frame, newHandle, buttonUrl }: Ports,
  currentUserId: () => string | undefined,
): ExportWindows {
  const ready = (signal?: AbortSignal) => frame.ready(walletLimits.frameReadyImperativeMs, { signal })
  return {
    next(address) {
      const handle = newHandle()
      return { handle, buttonUrl: buttonUrl('embedded-wallets/export', handle, address) }
    },
    begin: async (input, signal) => (await ready(signal)).call('export:begin', input, { signal }),
    async confirm(input, signal) {
      const userId = currentUserId()
      if (userId === undefined) throw new LatchkeyError('must_be_authenticated', 'The user is not logged in')
      return (await ready(signal)).call('export:confirm', { ...input, userId }, { signal })
    },
    async closed(window, signal) {
      await (await ready(signal)).call('export:closed', { window }, { signal })
    },
    end: (input) =>
      void ready()
        .then((channel) => channel.call('export:end', input))
        .catch(() => {}),
  }
}
