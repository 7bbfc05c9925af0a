import type { CloudRecovery } from '@latchkey/protocol/wallet'
import type { PartProps } from '../../../core/screen.ts'
import { useTexts } from '../../../i18n/context.tsx'
import { Accordion } from '../../../ui/accordion.tsx'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { Mark } from '../../../ui/marks/mark.tsx'
import { Heading, Stack } from '../../../ui/stack.tsx'
import { Success } from '../../../ui/success.tsx'
import { Lead, Title } from '../../../ui/title.tsx'
import { Waiting } from '../../../ui/waiting.tsx'
import { texts } from '../texts.ts'
import type { RunStep } from '../window/run-window.ts'
import { clouds } from './clouds.ts'
import type { CloudProblem } from './problem.ts'

export type CloudState = {
  readonly cloud: CloudRecovery
  readonly purpose: 'set' | 'recover'
  readonly canCancel: boolean
  readonly step: RunStep<CloudProblem> | { readonly at: 'done' }
}
export type CloudEvents = {
  /** Opens a window, so it is sent in the click. */
  readonly open: readonly []
  readonly cancel: readonly []
  readonly close: readonly []
}

export function CloudScreen({ state, send }: PartProps<CloudState, CloudEvents>) {
  const { cloud: words, done, cancel, why } = useTexts(texts)
  const { cloud, purpose, canCancel, step } = state
  const { title, mark } = clouds[cloud]
  const said = words[purpose]
  const face = <Mark drawing={mark} size={32} />
  const open = () => send('open')
  switch (step.at) {
    case 'asking':
      return (
        <Stack>
          <Heading>
            <Title>{said.title(title)}</Title>
            <Lead>{said.detail(title)}</Lead>
          </Heading>
          {step.problem !== undefined && <Banner kind="danger">{words.problems[step.problem](title)}</Banner>}
          <Button onPress={open}>{step.problem === undefined ? words.open(title) : words.again}</Button>
          {canCancel && (
            <Button kind="text" onPress={() => send('cancel')}>
              {cancel}
            </Button>
          )}
          {purpose === 'set' && <Accordion summary={why.question}>{words.why(title)}</Accordion>}
        </Stack>
      )
    case 'window':
      return (
        <Stack>
          <Waiting title={words.waiting.title(title)} detail={words.waiting[step.window](title)}>
            {face}
          </Waiting>
          {step.window !== 'open' && <Button onPress={open}>{words.again}</Button>}
        </Stack>
      )
    case 'working':
      return (
        <Waiting title={said.working} detail={said.workingDetail}>
          {face}
        </Waiting>
      )
    case 'done':
      return (
        <Success title={words.done} detail={words.doneDetail(title)}>
          {canCancel && <Button onPress={() => send('close')}>{done.close}</Button>}
        </Success>
      )
    default:
      return step satisfies never
  }
}
