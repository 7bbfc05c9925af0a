import type { NoEvents, PartProps } from '../../flow/screen.ts'
import { useTexts } from '../../i18n/context.tsx'
import { Failure } from '../../ui/feedback/failure.tsx'
import { Success } from '../../ui/feedback/success.tsx'
import { Waiting } from '../../ui/feedback/waiting.tsx'
import { Group, OptionRow } from '../../ui/group.tsx'
import { Mark } from '../../ui/marks/mark.tsx'
import { passkey } from '../../webauthn/passkey-mark.ts'
import type { PasskeyProblem } from './problem.ts'
import { texts } from './texts.arb'

export type EntryState = NoEvents
export type EntryEvents = { choose: readonly [] }

export function PasskeyEntry({ send }: PartProps<EntryState, EntryEvents>) {
  const { entry } = useTexts(texts)
  return (
    <Group>
      <OptionRow icon={<Mark drawing={passkey} />} label={entry.label} onPress={() => send('choose')} />
    </Group>
  )
}

export type DialogueState = { status: 'loading' | 'success' } | { status: 'error'; problem: PasskeyProblem }
export type DialogueEvents = { retry: readonly [] }

export function DialogueScreen({ state, send }: PartProps<DialogueState, DialogueEvents>) {
  const { waiting, success, error, problems } = useTexts(texts)
  switch (state.status) {
    case 'loading':
      return (
        <Waiting title={waiting.title} detail={waiting.detail}>
          <Mark drawing={passkey} />
        </Waiting>
      )
    case 'success':
      return <Success title={success.title} detail={success.detail} />
    case 'error': {
      const { problem } = state
      // Whoever has reached the limit has an account, and passkeys.
      const detail = problem === 'tooMany' ? problems.tooMany : `${problems[problem]} ${error.firstOne}`
      return (
        <Failure
          title={error.title}
          detail={detail}
          button={error.retry}
          isOwnChoice={problem === 'notAllowed'}
          onPress={() => send('retry')}
        />
      )
    }
    default:
      return state satisfies never
  }
}
