import type { NoEvents, PartProps } from '../../flow/screen.ts'
import { useTexts } from '../../i18n/context.tsx'
import { Failure } from '../../ui/feedback/failure.tsx'
import { Success } from '../../ui/feedback/success.tsx'
import { Waiting } from '../../ui/feedback/waiting.tsx'
import { WalletFace } from '../../ui/rows/wallet-face.tsx'
import type { CreationProblem } from './creation.ts'
import { texts } from './texts.arb'

/** What went wrong: a text of ours, or a sentence of an error that is not of the creation. */
export type CreatingProblem = CreationProblem | { sentence: string }

export type CreatingState = { status: 'creating' } | { status: 'failed'; problem: CreatingProblem }
export type CreatingEvents = { retry: readonly [] }

export function CreatingScreen({ state, send }: PartProps<CreatingState, CreatingEvents>) {
  const { creating, problems } = useTexts(texts)
  if (state.status === 'failed') {
    const { problem } = state
    return (
      <Failure
        title={creating.failedTitle}
        detail={typeof problem === 'string' ? problems[problem] : problem.sentence}
        button={creating.retry}
        onPress={() => send('retry')}
      />
    )
  }
  return (
    <Waiting title={creating.title} detail={creating.detail}>
      <WalletFace />
    </Waiting>
  )
}

export type CreatedState = {
  title: 'welcome' | 'allSet'
  /** What its user chose here is not in force: the wallet was there before. */
  isKeptOtherwise?: true
}

export function CreatedScreen({ state }: PartProps<CreatedState, NoEvents>) {
  const { created } = useTexts(texts)
  const detail = state.isKeptOtherwise ? created.keptOtherwise : created.detail
  return <Success title={created[state.title]} detail={detail} />
}
