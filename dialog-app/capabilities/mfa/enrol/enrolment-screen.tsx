import type { MfaMethodType } from '@latchkey/protocol'
import type { PartProps } from '../../../flow/screen.ts'
import { useTexts } from '../../../i18n/context.tsx'
import { Button } from '../../../ui/button.tsx'
import { Banner } from '../../../ui/feedback/banner.tsx'
import { Group, OptionRow } from '../../../ui/group.tsx'
import { RowIcon } from '../../../ui/row-icon.tsx'
import { StillRow } from '../../../ui/rows/still-row.tsx'
import { Heading, Stack } from '../../../ui/stack.tsx'
import { Lead, Title } from '../../../ui/title.tsx'
import { methodIcon } from '../method-icon.tsx'
import { type EnrolProblem, isOwnChoice } from '../problem.ts'
import { texts } from '../texts.arb'
import styles from './enrolment-screen.module.css'

export type OfferedMethod = {
  method: MfaMethodType
  status: 'offered' | 'recommended' | 'added' | 'disabled'
}
export type EnrolmentState =
  | { step: 'intro' }
  | {
      step: 'choice'
      methods: readonly OfferedMethod[]
      /** A change is verified first. */
      isVerified: boolean
      /** This method was chosen, and its first screen is on its way. */
      opening: MfaMethodType | undefined
      problem: EnrolProblem | undefined
    }
export type EnrolmentEvents = {
  go: readonly []
  leave: readonly []
  choose: readonly [method: MfaMethodType]
  remove: readonly [method: MfaMethodType]
}
type Props = PartProps<EnrolmentState, EnrolmentEvents>

export function EnrolmentScreen({ state, send }: Props) {
  switch (state.step) {
    case 'intro':
      return <Intro send={send} />
    case 'choice':
      return <Choice state={state} send={send} />
    default:
      return state satisfies never
  }
}

function Intro({ send }: Pick<Props, 'send'>) {
  const { intro } = useTexts(texts)
  return (
    <Stack>
      <div className={styles.shield}>
        <RowIcon name="shield" size={32} />
      </div>
      <Heading>
        <Title>{intro.title}</Title>
        <Lead>{intro.detail}</Lead>
      </Heading>
      <ul className={styles.points}>
        <li>{intro.points.ask}</li>
        <li>{intro.points.keep}</li>
      </ul>
      <Button onPress={() => send('go')}>{intro.go}</Button>
      <Button kind="quiet" onPress={() => send('leave')}>
        {intro.later}
      </Button>
    </Stack>
  )
}

type Choosing = Extract<EnrolmentState, { step: 'choice' }>

function Choice({ state, send }: { state: Choosing; send: Props['send'] }) {
  const { choice, problems, enrolProblems } = useTexts(texts)
  const { methods, isVerified, opening, problem } = state
  return (
    <Stack>
      <Heading>
        <Title>{choice.title}</Title>
        <Lead>{choice.detail}</Lead>
      </Heading>
      {problem && (
        <Banner kind={isOwnChoice(problem) ? 'info' : 'danger'}>
          {{ ...problems, ...enrolProblems }[problem]}
        </Banner>
      )}
      {isVerified && <Banner kind="info">{choice.verifiedFirst}</Banner>}
      <Group>
        {methods.map((offered) => (
          <Row key={offered.method} {...offered} isOpening={opening === offered.method} send={send} />
        ))}
      </Group>
    </Stack>
  )
}

type RowProps = OfferedMethod & { isOpening: boolean; send: Props['send'] }

function Row({ method, status, isOpening, send }: RowProps) {
  const { choice, names } = useTexts(texts)
  const icon = methodIcon(method)
  switch (status) {
    case 'offered':
    case 'recommended':
      return (
        <OptionRow
          icon={icon}
          label={names[method]}
          end={
            isOpening
              ? { kind: 'note', text: choice.opening }
              : status === 'recommended'
                ? { kind: 'tag', text: choice.recommended }
                : { kind: 'more' }
          }
          onPress={() => send('choose', method)}
        />
      )
    case 'added':
      return (
        <StillRow
          icon={icon}
          label={names[method]}
          note={choice.added}
          isGood
          action={{
            text: choice.remove,
            label: choice.removeNamed({ method: names[method] }),
            onPress: () => send('remove', method),
          }}
        />
      )
    case 'disabled':
      return <StillRow icon={icon} label={names[method]} note={choice.disabled} why={choice.usedToLogIn} />
    default:
      return status satisfies never
  }
}
