/** Leads the user to a wallet window in which they sign in to their cloud, and shows that its file is used. */
import { formatText } from '@latchkey/protocol/texts'
import type { CloudRecovery, OpenedWindowState } from '@latchkey/protocol/wallet'
import type { ScreenProps } from '../../../app/screen.ts'
import { useContentChange, useHeader } from '../../../app/screen-options.ts'
import type { WindowStep } from '../../../app/wallet-window/wallet-window.ts'
import { useTexts } from '../../../i18n/context.tsx'
import { Button } from '../../../ui/button.tsx'
import { useLate } from '../../../ui/feedback/late.ts'
import { Success } from '../../../ui/feedback/success.tsx'
import { Waiting } from '../../../ui/feedback/waiting.tsx'
import { Banner } from '../../../ui/lazy/banner.tsx'
import { Mark } from '../../../ui/marks/mark.tsx'
import { Accordion } from '../../../ui/rows/accordion.tsx'
import { Heading } from '../../../ui/stack.tsx'
import { Lead, Title } from '../../../ui/title.tsx'
import { ToWindow } from '../../../ui/wallet-page/to-window.tsx'
import { texts } from '../texts.arb'
import type { RecoveryWindow } from '../window/serve-window.ts'
import { useRecoveryWindow } from '../window/use-recovery-window.ts'
import { clouds } from './clouds.ts'
import { type CloudProblem, problemOf } from './problem.ts'

type CloudPurpose = 'set' | 'recover'

type CloudScreenProps = ScreenProps<
  undefined,
  {
    recovery: RecoveryWindow & { method: CloudRecovery; purpose: CloudPurpose }
    /** Undefined if the user did not begin this, and so has nothing to cancel. */
    onCancel: (() => void) | undefined
  }
>

/** Resolves when the recovery method is set, or the wallet is recovered. */
export function CloudScreen({ recovery, onCancel, screen }: CloudScreenProps) {
  const { method: cloud, purpose } = recovery
  const { step, onState } = useRecoveryWindow<CloudProblem>(recovery, {
    noWindow: { 'in-app': 'in-app', 'cut-off': 'unseen' },
    toProblem: problemOf,
    onUsed: () => screen.resolve(undefined),
  })
  const isInUse = step.at === 'window' && step.isInUse === true
  // A quick use is not shown.
  const isWorking = useLate(isInUse)
  // The user cannot stop a started change. It has a deadline.
  useHeader({ back: !isInUse, close: !isInUse })
  useContentChange(isWorking ? 'working' : step.at)
  return isWorking ? (
    <Working cloud={cloud} purpose={purpose} />
  ) : (
    <ToCloud cloud={cloud} purpose={purpose} step={step} onState={onState} onCancel={onCancel} />
  )
}

/** The user closed the window or denied the access, so nothing is wrong. */
const ownChoices: readonly CloudProblem[] = ['closed', 'denied']

export type ToCloudProps = {
  cloud: CloudRecovery
  purpose: CloudPurpose
  step: WindowStep<CloudProblem>
  onState: (state: OpenedWindowState) => void
  onCancel: (() => void) | undefined
}

export function ToCloud({ cloud, purpose, step, onState, onCancel }: ToCloudProps) {
  const { cloud: words, cancel, why, preparing } = useTexts(texts)
  const { title, mark } = clouds[cloud]
  const name = { cloud: title }
  const isAsking = step.at === 'asking'
  return (
    <ToWindow
      step={step}
      waiting={{
        title: words.waiting.title(name),
        detail: isAsking ? '' : words.waiting[step.window](name),
        face: <Mark drawing={mark} size={32} />,
      }}
      words={{ open: words.open(name), again: words.again, preparing }}
      onState={onState}
      leave={
        isAsking && (
          <>
            {onCancel && (
              <Button kind="text" onPress={onCancel}>
                {cancel}
              </Button>
            )}
            {purpose === 'set' && <Accordion summary={why.question}>{words.why(name)}</Accordion>}
          </>
        )
      }
    >
      <Heading>
        <Title>{words[purpose].title(name)}</Title>
        <Lead>{words[purpose].detail(name)}</Lead>
      </Heading>
      {isAsking && step.problem !== undefined && (
        <Banner kind={ownChoices.includes(step.problem) ? 'info' : 'danger'}>
          {formatText(words.problems[step.problem], name)}
        </Banner>
      )}
    </ToWindow>
  )
}

export function Working({ cloud, purpose }: { cloud: CloudRecovery; purpose: CloudPurpose }) {
  const { working, workingDetail } = useTexts(texts).cloud[purpose]
  return (
    <Waiting title={working} detail={workingDetail}>
      <Mark drawing={clouds[cloud].mark} size={32} />
    </Waiting>
  )
}

export type CloudSetProps = {
  cloud: CloudRecovery
  /** Undefined if the screen closes by itself. */
  onClose: (() => void) | undefined
}

export function CloudSet({ cloud, onClose }: CloudSetProps) {
  const { cloud: words, done } = useTexts(texts)
  return (
    <Success title={words.done} detail={words.doneDetail({ cloud: clouds[cloud].title })}>
      {onClose && <Button onPress={onClose}>{done.close}</Button>}
    </Success>
  )
}
