import type { LoginNotice, noticeOutcomes } from '@latchkey/protocol/api'
import type { ScreenProps } from '../../app/screen.ts'
import { useHeader } from '../../app/screen-options.ts'
import { useLanguage, useTexts } from '../../i18n/context.tsx'
import { Button } from '../../ui/button.tsx'
import { StatusSeal } from '../../ui/feedback/status-seal.tsx'
import { Banner } from '../../ui/lazy/banner.tsx'
import { Heading, Stack } from '../../ui/stack.tsx'
import { Lead, Title } from '../../ui/title.tsx'
import { texts } from './texts.arb'

type Outcome = Exclude<(typeof noticeOutcomes)[number], 'acknowledged'>
export type Step =
  | { at: 'asking'; hasFailed: boolean }
  | { at: 'answering'; isMine: boolean }
  /** The user is logged out everywhere. */
  | { at: 'ended'; outcome: Outcome }

/** Resolves with whether the change was made by the user. */
export type NoticeProps = ScreenProps<
  boolean,
  { notice: Pick<LoginNotice, 'kind' | 'name' | 'at'>; step: Step }
>

/** Whether the change was undone completely. */
const isUndone = {
  logged_out: true,
  taken_back: true,
  last_way_in: false,
  address_of_another: false,
} as const satisfies Record<Outcome, boolean>

export function NoticeScreen({ notice: { kind, name, at }, step, screen }: NoticeProps) {
  const words = useTexts(texts)
  const language = useLanguage()
  // The user cannot stop an answer that was sent.
  useHeader({ back: false, close: step.at !== 'answering' })
  if (step.at === 'ended') {
    const { title, detail } = words.ended[step.outcome]
    return (
      <Stack>
        <StatusSeal status={isUndone[step.outcome] ? 'done' : 'stopped'} />
        <Heading>
          <Title>{title}</Title>
          <Lead>{detail}</Lead>
        </Heading>
        <Button onPress={screen.leave}>{words.close}</Button>
      </Stack>
    )
  }
  const when = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(
    at * 1_000,
  )
  const { happened, ifNotYou, notMine } = words.asked[kind]
  const isAnswering = step.at === 'answering'
  const busy = (isMine: boolean) => isAnswering && step.isMine === isMine && words.answering
  return (
    <Stack>
      <StatusSeal status="failed" />
      <Heading>
        <Title>{words.title}</Title>
        <Lead>{happened({ when, name: name ?? '' })}</Lead>
        <Lead>{ifNotYou}</Lead>
      </Heading>
      {step.at === 'asking' && step.hasFailed && <Banner kind="danger">{words.failed}</Banner>}
      <Button busy={busy(true)} disabled={isAnswering && !step.isMine} onPress={() => screen.resolve(true)}>
        {words.mine}
      </Button>
      <Button
        kind="danger"
        busy={busy(false)}
        disabled={isAnswering && step.isMine}
        onPress={() => screen.resolve(false)}
      >
        {notMine}
      </Button>
    </Stack>
  )
}
