import { useEffect, useState } from 'react'
import type { ScreenProps } from '../../app/screen.ts'
import { useHeader } from '../../app/screen-options.ts'
import { useTexts } from '../../i18n/context.tsx'
import { Failure } from '../../ui/feedback/failure.tsx'
import { Success } from '../../ui/feedback/success.tsx'
import { Waiting } from '../../ui/feedback/waiting.tsx'
import { WalletFace } from '../../ui/rows/wallet-face.tsx'
import type { CreationProblem } from './creation.ts'
import { texts } from './texts.arb'

/** A text of the catalogue, or the message of an error that has none. */
export type CreatingProblem = CreationProblem | { sentence: string }

type CreatingScreenProps = ScreenProps<
  void,
  {
    /** The problem, if creation failed before this screen opened. */
    problem: CreatingProblem | undefined
    /** Resolves when creation fails later. */
    failure: Promise<CreatingProblem>
  }
>

/** Resolves when the user starts over after a failure. Cannot be closed during the creation, which has a deadline. */
export function CreatingScreen({ problem: initialProblem, failure, screen }: CreatingScreenProps) {
  const [problem, setProblem] = useState(initialProblem)
  useHeader({ back: false, close: problem !== undefined })
  useEffect(() => void failure.then(setProblem), [failure])
  return <CreatingView problem={problem} onRetry={() => screen.resolve()} />
}

export type CreatingViewProps = { problem: CreatingProblem | undefined; onRetry: () => void }

export function CreatingView({ problem, onRetry }: CreatingViewProps) {
  const { creating, problems } = useTexts(texts)
  if (problem === undefined) {
    return (
      <Waiting title={creating.title} detail={creating.detail}>
        <WalletFace />
      </Waiting>
    )
  }
  return (
    <Failure
      title={creating.failedTitle}
      detail={typeof problem === 'string' ? problems[problem] : problem.sentence}
      button={creating.retry}
      onPress={onRetry}
    />
  )
}

export type CreatedScreenProps = {
  title: 'welcome' | 'allSet'
  /** The wallet existed, so that the user's present choice of a recovery method has no effect. */
  isKeptOtherwise?: boolean
}

export function CreatedScreen({ title, isKeptOtherwise = false }: CreatedScreenProps) {
  const { created } = useTexts(texts)
  return <Success title={created[title]} detail={isKeptOtherwise ? created.keptOtherwise : created.detail} />
}
