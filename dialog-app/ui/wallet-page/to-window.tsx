import type { OpenedWindowState } from '@latchkey/protocol/wallet'
import { Fragment, type ReactNode } from 'react'
import { Waiting } from '../feedback/waiting.tsx'
import { Stack } from '../stack.tsx'
import { WalletButton } from './wallet-button.tsx'

type ToWindowProps = {
  /** There is no address of a button where no window can be opened. */
  step: { at: 'asking' | 'window'; buttonUrl?: string }
  /** What is said before the window is opened. */
  children: ReactNode
  /** And while it is waited for. */
  waiting: { title: string; detail: string; face: ReactNode }
  words: { open: string; again: string; preparing: string }
  onState: (state: OpenedWindowState) => void
  /** The way out, below the button. */
  leave?: ReactNode
}

/** A card that leads to a window of the wallet. Its button stays in its place: it knows the window that it opened. */
export const ToWindow = ({ step, children, waiting, words, onState, leave }: ToWindowProps) => (
  <Stack>
    {step.at === 'asking' ? (
      <Fragment key="asking">{children}</Fragment>
    ) : (
      <Waiting key="waiting" title={waiting.title} detail={waiting.detail}>
        {waiting.face}
      </Waiting>
    )}
    <Stack key="ways">
      {step.buttonUrl !== undefined && (
        <WalletButton
          url={step.buttonUrl}
          label={words.open}
          again={words.again}
          preparing={words.preparing}
          onState={onState}
        />
      )}
      {leave}
    </Stack>
  </Stack>
)
