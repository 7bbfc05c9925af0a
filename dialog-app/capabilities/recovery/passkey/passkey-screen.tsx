import type { PartProps } from '../../../core/screen.ts'
import { useTexts } from '../../../i18n/context.tsx'
import { Accordion } from '../../../ui/accordion.tsx'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { Mark } from '../../../ui/marks/mark.tsx'
import { passkey } from '../../../ui/marks/passkey.ts'
import { Heading, Stack } from '../../../ui/stack.tsx'
import { Success } from '../../../ui/success.tsx'
import { Lead, Title } from '../../../ui/title.tsx'
import { Waiting } from '../../../ui/waiting.tsx'
import { texts } from '../texts.ts'
import type { PasskeyProblem } from './problem.ts'

export type PasskeyState = {
  readonly purpose: 'set' | 'recover'
  readonly canCancel: boolean
  readonly step: /** `isMade`: the new passkey is there, and is asked once more. */
    | { readonly at: 'asking'; readonly isMade: boolean; readonly problem?: PasskeyProblem }
    /** The device shows its own. */
    | { readonly at: 'prompt' }
    /** What it gave is being used. */
    | { readonly at: 'working' }
    | { readonly at: 'done' }
}
export type PasskeyEvents = {
  /** Has the device ask for a passkey, so it is sent in the press. */
  readonly confirm: readonly []
  readonly cancel: readonly []
  readonly close: readonly []
}

export function PasskeyScreen({ state, send }: PartProps<PasskeyState, PasskeyEvents>) {
  const { passkey: words, cloud, done, cancel, why } = useTexts(texts)
  const { purpose, canCancel, step } = state
  const said = words[purpose]
  function labelOf({ isMade, problem }: { readonly isMade: boolean; readonly problem?: PasskeyProblem }) {
    if (isMade) return words.use
    return problem === undefined ? said.confirm : cloud.again
  }
  const face = <Mark drawing={passkey} size={32} />
  switch (step.at) {
    case 'asking':
      return (
        <Stack>
          <Heading>
            <Title>{said.title}</Title>
            <Lead>{step.isMade ? words.once : said.detail}</Lead>
          </Heading>
          {step.problem !== undefined && (
            <Banner kind="danger">{words.problems[purpose][step.problem]}</Banner>
          )}
          <Button onPress={() => send('confirm')}>{labelOf(step)}</Button>
          {canCancel && (
            <Button kind="text" onPress={() => send('cancel')}>
              {cancel}
            </Button>
          )}
          {purpose === 'set' && <Accordion summary={why.question}>{words.why}</Accordion>}
        </Stack>
      )
    case 'prompt':
      return (
        <Waiting title={words.prompt} detail={words.promptDetail}>
          {face}
        </Waiting>
      )
    case 'working':
      return (
        <Waiting title={cloud[purpose].working} detail={cloud[purpose].workingDetail}>
          {face}
        </Waiting>
      )
    case 'done':
      return (
        <Success title={cloud.done} detail={words.doneDetail}>
          {canCancel && <Button onPress={() => send('close')}>{done.close}</Button>}
        </Success>
      )
    default:
      return step satisfies never
  }
}
