import type { PartProps } from '../../flow/screen.ts'
import { useTexts } from '../../i18n/context.tsx'
import { translateOwn } from '../../i18n/own-words.ts'
import { Failure } from '../../ui/feedback/failure.tsx'
import { Waiting } from '../../ui/feedback/waiting.tsx'
import { WalletFace } from '../../ui/rows/wallet-face.tsx'
import { texts } from './texts.arb'

export type CreatingState =
  | { readonly status: 'creating' }
  | { readonly status: 'failed'; readonly problem: string }
export type CreatingEvents = { readonly retry: readonly [] }

export function CreatingScreen({ state, send }: PartProps<CreatingState, CreatingEvents>) {
  const { creating, problems } = useTexts(texts)
  if (state.status === 'failed') {
    return (
      <Failure
        title={creating.failedTitle}
        detail={translateOwn(state.problem, texts.english.problems, problems)}
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
