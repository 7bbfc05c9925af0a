/** The views of the intro and of the choice of methods. */
import type { MfaMethodType } from '@latchkey/protocol'
import { useTexts } from '../../../i18n/context.tsx'
import { Button } from '../../../ui/button.tsx'
import { Group, OptionRow } from '../../../ui/group.tsx'
import { Banner } from '../../../ui/lazy/banner.tsx'
import { RowIcon } from '../../../ui/lazy/row-icon.tsx'
import { StillRow } from '../../../ui/rows/still-row.tsx'
import { Heading, Stack } from '../../../ui/stack.tsx'
import { Lead, Title } from '../../../ui/title.tsx'
import { methodIcon } from '../method-icon.tsx'
import { type EnrolProblem, isOwnChoice } from '../problem.ts'
import { texts } from '../texts.arb'
import styles from './enrolment-views.module.css'
import type { OfferedMethod } from './offered-methods.ts'

export type IntroViewProps = { onContinue: () => void; onLater: () => void }

export function IntroView({ onContinue, onLater }: IntroViewProps) {
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
      <Button onPress={onContinue}>{intro.go}</Button>
      <Button kind="quiet" onPress={onLater}>
        {intro.later}
      </Button>
    </Stack>
  )
}

export type ChoiceViewProps = {
  methods: readonly OfferedMethod[]
  /** A change is verified first. */
  isVerified: boolean
  /** The first screen of this method is on its way. */
  opening: MfaMethodType | undefined
  problem: EnrolProblem | undefined
  onAdd: (method: MfaMethodType) => void
  onRemove: (method: MfaMethodType) => void
}

export function ChoiceView({ methods, isVerified, opening, problem, onAdd, onRemove }: ChoiceViewProps) {
  const { choice, problems, enrolProblems } = useTexts(texts)
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
          <Row
            key={offered.method}
            {...offered}
            isOpening={opening === offered.method}
            onAdd={() => onAdd(offered.method)}
            onRemove={() => onRemove(offered.method)}
          />
        ))}
      </Group>
    </Stack>
  )
}

type RowProps = OfferedMethod & { isOpening: boolean; onAdd: () => void; onRemove: () => void }

function Row({ method, status, isOpening, onAdd, onRemove }: RowProps) {
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
          onPress={onAdd}
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
            onPress: onRemove,
          }}
        />
      )
    case 'disabled':
      return <StillRow icon={icon} label={names[method]} note={choice.disabled} why={choice.usedToLogIn} />
    default:
      return status satisfies never
  }
}
