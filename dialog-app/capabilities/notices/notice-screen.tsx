import type { LoginNotice, noticeOutcomes } from '@latchkey/protocol/api'
import type { PartProps } from '../../flow/screen.ts'
import { useLanguage, useTexts } from '../../i18n/context.tsx'
import { Button } from '../../ui/button.tsx'
import { Banner } from '../../ui/feedback/banner.tsx'
import { StatusSeal } from '../../ui/feedback/status-seal.tsx'
import { Heading, Stack } from '../../ui/stack.tsx'
import { Lead, Title } from '../../ui/title.tsx'
import { texts } from './texts.arb'

export type Step =
  | { at: 'asking'; hasFailed?: true }
  | { at: 'answering'; isMine: boolean }
  /** The user is logged out everywhere. */
  | { at: 'ended'; outcome: Exclude<(typeof noticeOutcomes)[number], 'acknowledged'> }
export type NoticeState = Pick<LoginNotice, 'kind' | 'name'> & { atMs: number; step: Step }
export type NoticeEvents = {
  mine: readonly []
  notMine: readonly []
  close: readonly []
}

/** Whether all of it could be undone. */
const isWhole = {
  logged_out: true,
  taken_back: true,
  last_way_in: false,
  address_of_another: false,
} as const satisfies Record<Extract<Step, { at: 'ended' }>['outcome'], boolean>

export function NoticeScreen({ state, send }: PartProps<NoticeState, NoticeEvents>) {
  const { kind, name, atMs, step } = state
  const words = useTexts(texts)
  const language = useLanguage()
  if (step.at === 'ended') {
    const { title, detail } = words.ended[step.outcome]
    return (
      <Stack>
        <StatusSeal status={isWhole[step.outcome] ? 'done' : 'stopped'} />
        <Heading>
          <Title>{title}</Title>
          <Lead>{detail}</Lead>
        </Heading>
        <Button onPress={() => send('close')}>{words.close}</Button>
      </Stack>
    )
  }
  const when = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(atMs)
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
      <Button busy={busy(true)} disabled={isAnswering && !step.isMine} onPress={() => send('mine')}>
        {words.mine}
      </Button>
      <Button
        kind="danger"
        busy={busy(false)}
        disabled={isAnswering && step.isMine}
        onPress={() => send('notMine')}
      >
        {notMine}
      </Button>
    </Stack>
  )
}
