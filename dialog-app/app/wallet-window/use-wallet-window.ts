import type { OpenedWindowState } from '@latchkey/protocol/wallet'
import { useLayoutEffect, useRef, useState } from 'react'
import { useDialog } from '../context.ts'
import {
  createWalletWindow,
  type WalletWindow,
  type WalletWindowPorts,
  type WindowStep,
} from './wallet-window.ts'

type Options<Problem> = Omit<WalletWindowPorts<Problem>, 'signal' | 'show'>

/** Leads a screen to a wallet window, and serves the window until the screen is gone. */
export function useWalletWindow<Problem>(options: Options<Problem>): {
  step: WindowStep<Problem>
  onState: (state: OpenedWindowState) => void
} {
  const { handle, isInFront } = useDialog()
  // The button has its address before the first paint.
  const [step, show] = useState<WindowStep<Problem>>({ at: 'asking' })
  const window = useRef<WalletWindow<Problem>>(undefined)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the options are those of the first render.
  useLayoutEffect(() => {
    const created = createWalletWindow({ ...options, signal: handle.signal, show })
    window.current = created
    created.ask()
    return created.abandon
  }, [])

  return {
    step,
    onState(state) {
      if (isInFront()) window.current?.hear(state)
    },
  }
}
