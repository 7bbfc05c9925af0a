import { formatText } from '@latchkey/protocol/texts'
import type { CloudRecovery, OpenedWindowState } from '@latchkey/protocol/wallet'
import type { PartProps } from '../../../flow/screen.ts'
import { useTexts } from '../../../i18n/context.tsx'
import { Button } from '../../../ui/button.tsx'
import { Banner } from '../../../ui/feedback/banner.tsx'
import { Success } from '../../../ui/feedback/success.tsx'
import { Waiting } from '../../../ui/feedback/waiting.tsx'
import { Mark } from '../../../ui/marks/mark.tsx'
import { Accordion } from '../../../ui/rows/accordion.tsx'
import { Heading } from '../../../ui/stack.tsx'
import { Lead, Title } from '../../../ui/title.tsx'
import { ToWindow } from '../../../ui/wallet-page/to-window.tsx'
import { texts } from '../texts.arb'
import type { RunStep } from '../window/run-window.ts'
import { clouds } from './clouds.ts'
import type { CloudProblem } from './problem.ts'

export type CloudState = {
  cloud: CloudRecovery
  purpose: 'set' | 'recover'
  canCancel: boolean
  step: RunStep<CloudProblem> | { at: 'done' }
}
export type CloudEvents = {
  /** The button has opened the window, or it reads as closed. */
  opened: readonly [state: OpenedWindowState]
  cancel: readonly []
  close: readonly []
}

/** The user closed the window, or said no in it: nothing is wrong. */
const ownChoices: readonly CloudProblem[] = ['closed', 'denied']

export function CloudScreen({ state, send }: PartProps<CloudState, CloudEvents>) {
  const { cloud: words, done, cancel, why, preparing } = useTexts(texts)
  const { cloud, purpose, canCancel, step } = state
  const { title, mark } = clouds[cloud]
  const said = words[purpose]
  const face = <Mark drawing={mark} size={32} />
  switch (step.at) {
    case 'asking':
    case 'window': {
      const isAsking = step.at === 'asking'
      return (
        <ToWindow
          step={step}
          waiting={{
            title: words.waiting.title({ cloud: title }),
            detail: isAsking ? '' : words.waiting[step.window]({ cloud: title }),
            face,
          }}
          words={{ open: words.open({ cloud: title }), again: words.again, preparing }}
          onState={(state) => send('opened', state)}
          leave={
            isAsking && (
              <>
                {canCancel && (
                  <Button kind="text" onPress={() => send('cancel')}>
                    {cancel}
                  </Button>
                )}
                {purpose === 'set' && (
                  <Accordion summary={why.question}>{words.why({ cloud: title })}</Accordion>
                )}
              </>
            )
          }
        >
          <Heading>
            <Title>{said.title({ cloud: title })}</Title>
            <Lead>{said.detail({ cloud: title })}</Lead>
          </Heading>
          {isAsking && step.problem !== undefined && (
            <Banner kind={ownChoices.includes(step.problem) ? 'info' : 'danger'}>
              {formatText(words.problems[step.problem], { cloud: title })}
            </Banner>
          )}
        </ToWindow>
      )
    }
    case 'working':
      return (
        <Waiting title={said.working} detail={said.workingDetail}>
          {face}
        </Waiting>
      )
    case 'done':
      return (
        <Success title={words.done} detail={words.doneDetail({ cloud: title })}>
          {canCancel && <Button onPress={() => send('close')}>{done.close}</Button>}
        </Success>
      )
    default:
      return step satisfies never
  }
}
