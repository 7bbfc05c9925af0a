/** The dialog's calls for the recovery page, on which users enter the secret of their recovery method. */
import { LatchkeyError, walletLimits } from '@latchkey/protocol'
import type { CallInput, CallOutput } from '@latchkey/protocol/channel'
import type { OpenedPage, WalletFrameCalls } from '@latchkey/protocol/wallet'
import type { NextWindow, WalletFrame } from '../frame.ts'

type Input<Name extends keyof WalletFrameCalls> = CallInput<WalletFrameCalls[Name]>
type Output<Name extends keyof WalletFrameCalls> = CallOutput<WalletFrameCalls[Name]>

export type RecoveryWindows = {
  next: () => NextWindow
  /** Resolves with the user's input. Call it again for the same window to show a failure. */
  ask: (input: Input<'recovery:ask'>, signal: AbortSignal) => Promise<Output<'recovery:ask'>>
  confirm: (
    input: Omit<Input<'recovery:confirm'>, 'userId'>,
    signal: AbortSignal,
  ) => Promise<Output<'recovery:confirm'>>
  /** Closes the page; failures are ignored. */
  end: (input: Input<'recovery:end'>) => void
}

type Ports = {
  frame: WalletFrame
  /** 32 random bytes. */
  newHandle: () => string
  buttonUrl: (page: OpenedPage, handle: string) => string
}

export function createRecoveryWindows(
  { frame, newHandle, buttonUrl }: Ports,
  currentUserId: () => string | undefined,
): RecoveryWindows {
  const ready = (signal?: AbortSignal) => frame.ready(walletLimits.frameReadyImperativeMs, { signal })
  return {
    next() {
      const handle = newHandle()
      return { handle, buttonUrl: buttonUrl('recovery', handle) }
    },
    ask: async (input, signal) => (await ready(signal)).call('recovery:ask', input, { signal }),
    async confirm(input, signal) {
      const userId = currentUserId()
      if (userId === undefined) throw new LatchkeyError('must_be_authenticated', 'The user is not logged in')
      return (await ready(signal)).call('recovery:confirm', { ...input, userId }, { signal })
    },
    end: (input) =>
      void ready()
        .then((channel) => channel.call('recovery:end', input))
        .catch(() => {}),
  }
}
