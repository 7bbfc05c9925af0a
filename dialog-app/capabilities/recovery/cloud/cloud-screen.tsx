import type { CloudRecovery } from '@latchkey/protocol/wallet'
import type { PartProps } from '../../../core/screen.ts'
import { useTexts } from '../../../i18n/context.tsx'
import { Accordion } from '../../../ui/accordion.tsx'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { Mark } from '../../../ui/marks/mark.tsx'
import { Heading, Note, Stack } from '../../../ui/stack.tsx'
import { Success } from '../../../ui/success.tsx'
import { Lead, Title } from '../../../ui/title.tsx'
import { Waiting } from '../../../ui/waiting.tsx'
import { WindowDigits } from '../../../window-login/window-digits.tsx'
import { texts } from '../texts.ts'
import { clouds } from './clouds.ts'
import type { CloudProblem } from './problem.ts'

export type CloudState = {
  readonly cloud: CloudRecovery
  readonly purpose: 'set' | 'recover'
  readonly canCancel: boolean
  readonly step:
    | {
        readonly at: 'asking'
        readonly isReady: boolean
        /** It is confirmed on a page first. */
        readonly isFirst?: boolean
        readonly problem?: CloudProblem
      }
    /** As it reads. One that reads as closed, or of which nothing can be read, may be open all the same. */
    | { readonly at: 'window'; readonly window: 'open' | 'closed' | 'none'; readonly digits?: string }
    /** What the cloud said is being used. */
    | { readonly at: 'working' }
    | { readonly at: 'done' }
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
  function labelOf({ isFirst, problem }: Extract<CloudState['step'], { at: 'asking' }>) {
    if (isFirst) return words.first
    return problem === undefined ? words.open(title) : words.again
  }
  switch (step.at) {
    case 'asking':
      return (
        <Stack>
          <Heading>
            <Title>{said.title(title)}</Title>
            <Lead>{said.detail(title)}</Lead>
          </Heading>
          {step.problem !== undefined && <Banner kind="danger">{words.problems[step.problem](title)}</Banner>}
          <Button busy={!step.isReady && words.preparing} onPress={open}>
            {labelOf(step)}
          </Button>
          {step.isFirst && <Note>{words.firstDetail}</Note>}
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
          {step.digits !== undefined && <WindowDigits>{step.digits}</WindowDigits>}
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
