/** Leads the user to the window that shows their key, and waits for its end. */
import type { OpenedWindowState } from '@latchkey/protocol/wallet'
import { useState } from 'react'
import type { ScreenProps } from '../../app/screen.ts'
import { useContentChange } from '../../app/screen-options.ts'
import { useWalletWindow } from '../../app/wallet-window/use-wallet-window.ts'
import type { NoWindow, WindowAttempt, WindowStep } from '../../app/wallet-window/wallet-window.ts'
import type { VerificationProblem } from '../../approval/verification-problem.ts'
import { useTexts } from '../../i18n/context.tsx'
import { texts as shellTexts } from '../../i18n/shell-texts.arb'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/feedback/failure.tsx'
import { Waiting } from '../../ui/feedback/waiting.tsx'
import { Banner } from '../../ui/lazy/banner.tsx'
import { Address } from '../../ui/rows/address.tsx'
import { Fact, Facts } from '../../ui/rows/facts.tsx'
import { WalletFace } from '../../ui/rows/wallet-face.tsx'
import { Heading, Stack } from '../../ui/stack.tsx'
import { Lead, Title } from '../../ui/title.tsx'
import { ToWindow } from '../../ui/wallet-page/to-window.tsx'
import type { NextWindow } from '../../wallet/frame.ts'
import { texts } from './texts.arb'

export type ExportProblem = VerificationProblem | 'failed' | 'unable'

/** A window to be opened, and the work that shows the key in it. */
export type KeyWindow = {
  address: string
  obstacle: NoWindow | undefined
  next: () => NextWindow
  /** Resolves when the window is closed after the key was shown. */
  serve: (handle: string, attempt: WindowAttempt, onShown: () => void) => Promise<void>
}

export function Connecting() {
  const { title, connecting } = useTexts(texts)
  return (
    <Waiting title={title} detail={connecting}>
      <WalletFace />
    </Waiting>
  )
}

/** Resolves when the window is closed after the key was shown. */
export function ExportScreen({ window, screen }: ScreenProps<undefined, { window: KeyWindow }>) {
  const [isShown, setShown] = useState(false)
  const { step, onState } = useWalletWindow<NoWindow>({
    obstacle: window.obstacle,
    next: window.next,
    serve: (handle, attempt) => window.serve(handle, attempt, () => setShown(true)),
    onDone: () => screen.resolve(undefined),
    onFailed: screen.reject,
  })
  useContentChange(isShown ? 'shown' : step.at)
  return isShown ? (
    <KeyShown onLeave={screen.leave} />
  ) : (
    <ToKey address={window.address} step={step} onState={onState} onLeave={screen.leave} />
  )
}

export function KeyShown({ onLeave }: { onLeave: () => void }) {
  const { shown, done } = useTexts(texts)
  return (
    <Stack>
      <Heading>
        <WalletFace />
        <Title>{shown.title}</Title>
        <Lead>{shown.detail}</Lead>
      </Heading>
      <Warning />
      <Button kind="quiet" onPress={onLeave}>
        {done}
      </Button>
    </Stack>
  )
}

function Warning() {
  const { warning } = useTexts(texts)
  return <Banner kind="warning">{warning}</Banner>
}

export type ToKeyProps = {
  address: string
  step: WindowStep<NoWindow>
  onState: (state: OpenedWindowState) => void
  onLeave: () => void
}

export function ToKey({ address, step, onState, onLeave }: ToKeyProps) {
  const words = useTexts(texts)
  const { title, detail, wallet, waiting, cancel, unopened } = words
  const { address: addressTexts } = useTexts(shellTexts)
  const isAsking = step.at === 'asking'
  return (
    <ToWindow
      step={step}
      waiting={{
        title: waiting.title,
        detail: isAsking ? '' : waiting[step.window],
        face: <WalletFace />,
      }}
      words={words}
      onState={onState}
      leave={
        !isAsking && (
          <Button kind="text" onPress={onLeave}>
            {cancel}
          </Button>
        )
      }
    >
      <Heading>
        <Title>{title}</Title>
        <Lead>{detail}</Lead>
      </Heading>
      <Warning />
      <Facts>
        <Fact term={wallet}>
          <Address address={address} copyLabel={addressTexts.copy} copiedLabel={addressTexts.copied} />
        </Fact>
      </Facts>
      {isAsking && step.problem !== undefined && <Banner kind="danger">{unopened[step.problem]}</Banner>}
    </ToWindow>
  )
}

/** Resolves when the user tries again. */
export const FailedScreen = ({ problem, screen }: ScreenProps<undefined, { problem: ExportProblem }>) => (
  <Failed problem={problem} onRetry={() => screen.resolve(undefined)} />
)

type FailedProps = { problem: ExportProblem; onRetry: () => void }

export function Failed({ problem, onRetry }: FailedProps) {
  const { title, problems, retry } = useTexts(texts)
  return (
    <Failure
      title={title}
      detail={problems[problem]}
      button={retry}
      isOwnChoice={problem === 'canceled'}
      onPress={onRetry}
    />
  )
}
