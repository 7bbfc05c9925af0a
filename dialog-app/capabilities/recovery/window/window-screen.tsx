/** Leads the user to a wallet window in which they enter a password or use a passkey. */
import { type ErrorCode, toLatchkeyError } from '@latchkey/protocol'
import type { OpenedWindowState, RecoveryWindowPurpose, WindowRecovery } from '@latchkey/protocol/wallet'
import type { ScreenProps } from '../../../app/screen.ts'
import { useContentChange } from '../../../app/screen-options.ts'
import type { WindowStep } from '../../../app/wallet-window/wallet-window.ts'
import { useTexts } from '../../../i18n/context.tsx'
import { Button } from '../../../ui/button.tsx'
import { Success } from '../../../ui/feedback/success.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Banner } from '../../../ui/lazy/banner.tsx'
import { Mark } from '../../../ui/marks/mark.tsx'
import { Accordion } from '../../../ui/rows/accordion.tsx'
import { WalletFace } from '../../../ui/rows/wallet-face.tsx'
import { Heading } from '../../../ui/stack.tsx'
import { Lead, Title } from '../../../ui/title.tsx'
import { ToWindow } from '../../../ui/wallet-page/to-window.tsx'
import { RecoveryFailure } from '../../../wallet/recovery-failure.ts'
import { passkey } from '../../../webauthn/passkey-mark.ts'
import { texts } from '../texts.arb'
import type { RecoveryWindow } from './serve-window.ts'
import { useRecoveryWindow } from './use-recovery-window.ts'

export const windowProblems = [
  'closed',
  'in-app',
  'cut-off',
  'locked',
  'changedElsewhere',
  'unable',
  'failed',
] as const
export type WindowProblem = (typeof windowProblems)[number]

const problemByCode: { [code in ErrorCode]?: WindowProblem } = {
  user_rejected_request: 'closed',
  too_many_requests: 'locked',
  embedded_wallet_recovery_already_exists: 'changedElsewhere',
}

function toProblem(error: unknown): WindowProblem {
  if (error instanceof RecoveryFailure) return 'unable'
  return problemByCode[toLatchkeyError(error, 'error', '').code] ?? 'failed'
}

const faces = {
  'user-passcode': <Icon name="lock" />,
  passkey: <Mark drawing={passkey} size={32} />,
} as const

type WindowScreenProps = ScreenProps<
  undefined,
  {
    recovery: RecoveryWindow & { method: WindowRecovery }
    /** Undefined if the user did not begin this, and so has nothing to cancel. */
    onCancel: (() => void) | undefined
  }
>

/** Resolves when the recovery method is set, or the wallet is recovered. */
export function WindowScreen({ recovery, onCancel, screen }: WindowScreenProps) {
  const { step, onState } = useRecoveryWindow<WindowProblem>(recovery, {
    noWindow: { 'in-app': 'in-app', 'cut-off': 'cut-off' },
    toProblem,
    onUsed: () => screen.resolve(undefined),
  })
  useContentChange(step.at)
  const { method, purpose } = recovery
  return <WindowView method={method} purpose={purpose} step={step} onState={onState} onCancel={onCancel} />
}

export type WindowViewProps = {
  method: WindowRecovery
  purpose: RecoveryWindowPurpose
  /** The card shows no difference while the input is used, because its window does. */
  step: WindowStep<WindowProblem>
  onState: (state: OpenedWindowState) => void
  onCancel: (() => void) | undefined
}

export function WindowView({ method, purpose, step, onState, onCancel }: WindowViewProps) {
  const { window: words, why, cancel, preparing } = useTexts(texts)
  const asking = words.asking[method][purpose]
  const isAsking = step.at === 'asking'
  return (
    <ToWindow
      step={step}
      waiting={{
        title: words.waiting.title,
        detail: isAsking ? '' : words.waiting[step.window],
        face: faces[method],
      }}
      words={{ open: asking.open, again: words.again, preparing }}
      onState={onState}
      leave={
        <>
          {onCancel && (
            <Button kind="text" onPress={onCancel}>
              {cancel}
            </Button>
          )}
          {isAsking && purpose !== 'recover' && (
            <Accordion summary={why.question}>{why.answers[method]}</Accordion>
          )}
        </>
      }
    >
      {purpose === 'update' && <WalletFace />}
      <Heading>
        <Title>{asking.title}</Title>
        <Lead>{asking.detail}</Lead>
      </Heading>
      {isAsking && step.problem !== undefined && (
        <Banner kind={step.problem === 'closed' ? 'info' : 'danger'}>{words.problems[step.problem]}</Banner>
      )}
    </ToWindow>
  )
}

export type MethodSetProps = {
  method: WindowRecovery
  /** Undefined if the screen closes by itself. */
  onClose: (() => void) | undefined
}

export function MethodSet({ method, onClose }: MethodSetProps) {
  const { window: words, done } = useTexts(texts)
  return (
    <Success title={words.done[method].title} detail={words.done[method].detail}>
      {onClose && <Button onPress={onClose}>{done.close}</Button>}
    </Success>
  )
}
