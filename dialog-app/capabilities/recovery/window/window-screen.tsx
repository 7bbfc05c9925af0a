import type { OpenedWindowState, RecoveryWindowPurpose, WindowRecovery } from '@latchkey/protocol/wallet'
import type { WindowStep } from '../../../app/wallet-window/wallet-window.ts'
import type { PartProps } from '../../../flow/screen.ts'
import { useTexts } from '../../../i18n/context.tsx'
import { Button } from '../../../ui/button.tsx'
import { Banner } from '../../../ui/feedback/banner.tsx'
import { Success } from '../../../ui/feedback/success.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Mark } from '../../../ui/marks/mark.tsx'
import { Accordion } from '../../../ui/rows/accordion.tsx'
import { WalletFace } from '../../../ui/rows/wallet-face.tsx'
import { Heading } from '../../../ui/stack.tsx'
import { Lead, Title } from '../../../ui/title.tsx'
import { ToWindow } from '../../../ui/wallet-page/to-window.tsx'
import { passkey } from '../../../webauthn/passkey-mark.ts'
import { texts } from '../texts.arb'

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

export type WindowState = {
  method: WindowRecovery
  purpose: RecoveryWindowPurpose
  canCancel: boolean
  step: WindowStep<WindowProblem> | { at: 'done' }
}
export type WindowEvents = {
  /** The button has opened the window, or it reads as closed. */
  opened: readonly [state: OpenedWindowState]
  cancel: readonly []
  close: readonly []
}

const faces = {
  'user-passcode': <Icon name="lock" />,
  passkey: <Mark drawing={passkey} size={32} />,
} as const

export function WindowScreen({ state, send }: PartProps<WindowState, WindowEvents>) {
  const { window: words, why, cancel, done, preparing } = useTexts(texts)
  const { method, purpose, canCancel, step } = state
  const said = words.asking[method][purpose]
  if (step.at === 'done') {
    return (
      <Success title={words.done[method].title} detail={words.done[method].detail}>
        {canCancel && <Button onPress={() => send('close')}>{done.close}</Button>}
      </Success>
    )
  }
  const isAsking = step.at === 'asking'
  return (
    <ToWindow
      step={step}
      waiting={{
        title: words.waiting.title,
        detail: isAsking ? '' : words.waiting[step.window],
        face: faces[method],
      }}
      words={{ open: said.open, again: words.again, preparing }}
      onState={(state) => send('opened', state)}
      leave={
        <>
          {canCancel && (
            <Button kind="text" onPress={() => send('cancel')}>
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
        <Title>{said.title}</Title>
        <Lead>{said.detail}</Lead>
      </Heading>
      {isAsking && step.problem !== undefined && (
        <Banner kind={step.problem === 'closed' ? 'info' : 'danger'}>{words.problems[step.problem]}</Banner>
      )}
    </ToWindow>
  )
}
