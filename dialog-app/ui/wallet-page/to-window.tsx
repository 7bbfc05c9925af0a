import type { OpenedWindowState } from '@latchkey/protocol/wallet'
import { Fragment, type ReactNode } from 'react'
import { Waiting } from '../feedback/waiting.tsx'
import { Stack } from '../stack.tsx'
import { WalletButton } from './wallet-button.tsx'

type ToWindowProps = {
  /** `buttonUrl` is missing if no window can be opened. */
  step: { at: 'asking' | 'window'; buttonUrl?: string }
  /** The content before the window is opened. */
  children: ReactNode
  /** The content while the window is open. */
  waiting: { title: string; detail: string; face: ReactNode }
  words: { open: string; again: string; preparing: string }
  onState: (state: OpenedWindowState) => void
  /** The exit below the button. */
  leave?: ReactNode
}

/** A card that opens a wallet window. Its button stays mounted, because it holds the window. */
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
