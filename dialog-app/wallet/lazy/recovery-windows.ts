/** What the dialog asks of a window of the wallet's origin in which a user gives what keeps their wallet. */
import { LatchkeyError, walletLimits } from '@latchkey/protocol'
import type { CallInput, CallOutput } from '@latchkey/protocol/channel'
import type { OpenedPage, WalletFrameCalls } from '@latchkey/protocol/wallet'
import type { NextWindow, WalletFrame } from '../frame.ts'

type Input<Name extends keyof WalletFrameCalls> = CallInput<WalletFrameCalls[Name]>
type Output<Name extends keyof WalletFrameCalls> = CallOutput<WalletFrameCalls[Name]>

export type RecoveryWindows = {
  next: () => NextWindow
  /** Waits until something was given there; asked again for the same window, it says what did not work. */
  ask: (asked: Input<'recovery:ask'>, signal: AbortSignal) => Promise<Output<'recovery:ask'>>
  confirm: (
    asked: Omit<Input<'recovery:confirm'>, 'userId'>,
    signal: AbortSignal,
  ) => Promise<Output<'recovery:confirm'>>
  /** Nobody hears whether it did. */
  end: (ended: Input<'recovery:end'>) => void
}

type Ports = {
  frame: WalletFrame
  /** 32 random bytes. */
  newHandle: () => string
  buttonUrl: (page: OpenedPage, handle: string) => string
}

export function createRecoveryWindows(
  { frame, newHandle, buttonUrl }: Ports,
  presentUserId: () => string | undefined,
): RecoveryWindows {
  const ready = (signal?: AbortSignal) => frame.ready(walletLimits.frameReadyImperativeMs, { signal })
  return {
    next() {
      const handle = newHandle()
      return { handle, buttonUrl: buttonUrl('recovery', handle) }
    },
    ask: async (asked, signal) => (await ready(signal)).call('recovery:ask', asked, { signal }),
    async confirm(asked, signal) {
      const userId = presentUserId()
      if (userId === undefined) throw new LatchkeyError('must_be_authenticated', 'Nobody is logged in')
      return (await ready(signal)).call('recovery:confirm', { ...asked, userId }, { signal })
    },
    end: (ended) =>
      void ready()
        .then((channel) => channel.call('recovery:end', ended))
        .catch(() => {}),
  }
}
