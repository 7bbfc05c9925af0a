import type { RecoveryWindowPurpose, WindowRecovery } from '@latchkey/protocol/wallet'
import type { PartProps } from '../../../core/screen.ts'
import { useTexts } from '../../../i18n/context.tsx'
import { Accordion } from '../../../ui/accordion.tsx'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Mark } from '../../../ui/marks/mark.tsx'
import { passkey } from '../../../ui/marks/passkey.ts'
import { Heading, Stack } from '../../../ui/stack.tsx'
import { Success } from '../../../ui/success.tsx'
import { Lead, Title } from '../../../ui/title.tsx'
import { Waiting } from '../../../ui/waiting.tsx'
import { WalletFace } from '../../../ui/wallet-face.tsx'
import { texts } from '../texts.ts'

export const windowProblems = ['closed', 'in-app', 'cut-off', 'locked', 'changedElsewhere', 'failed'] as const
export type WindowProblem = (typeof windowProblems)[number]

export type WindowStep =
  | { readonly at: 'asking'; readonly problem?: WindowProblem }
  /** One that reads as closed, or of which nothing can be read, may be open all the same. */
  | { readonly at: 'window'; readonly window: 'open' | 'closed' | 'none'; readonly href: string }
  | { readonly at: 'done' }
export type WindowState = {
  readonly method: WindowRecovery
  readonly purpose: RecoveryWindowPurpose
  readonly canCancel: boolean
  readonly step: WindowStep
}
export type WindowEvents = {
  /** Opens a window, so it is sent in the click. */
  readonly open: readonly []
  readonly cancel: readonly []
  readonly close: readonly []
}

const faces = {
  'user-passcode': <Icon name="lock" />,
  passkey: <Mark drawing={passkey} size={32} />,
} as const

export function WindowScreen({ state, send }: PartProps<WindowState, WindowEvents>) {
  const { window: words, why, cancel, done } = useTexts(texts)
  const { method, purpose, canCancel, step } = state
  const said = words.asking[method][purpose]
  const leave = canCancel && (
    <Button kind="text" onPress={() => send('cancel')}>
      {cancel}
    </Button>
  )
  switch (step.at) {
    case 'asking':
      return (
        <Stack>
          {purpose === 'update' && <WalletFace />}
          <Heading>
            <Title>{said.title}</Title>
            <Lead>{said.detail}</Lead>
          </Heading>
          {step.problem !== undefined && <Banner kind="danger">{words.problems[step.problem]}</Banner>}
          <Stack>
            <Button onPress={() => send('open')}>{said.open}</Button>
            {leave}
          </Stack>
          {purpose !== 'recover' && <Accordion summary={why.question}>{why.answers[method]}</Accordion>}
        </Stack>
      )
    case 'window':
      return (
        <Stack>
          <Waiting title={words.waiting.title} detail={words.waiting[step.window]}>
            {faces[method]}
          </Waiting>
          <Stack>
            {step.window !== 'open' && <Button onPress={() => send('open')}>{words.again}</Button>}
            {leave}
          </Stack>
        </Stack>
      )
    case 'done':
      return (
        <Success title={words.done[method].title} detail={words.done[method].detail}>
          {canCancel && <Button onPress={() => send('close')}>{done.close}</Button>}
        </Success>
      )
    default:
      return step satisfies never
  }
}
