import type { PartProps } from '../../flow/screen.ts'
import { useTexts } from '../../i18n/context.tsx'
import { translateOwn } from '../../i18n/own-words.ts'
import { Failure } from '../../ui/feedback/failure.tsx'
import type { ErrorState } from './error-text.ts'
import type { RetryEvents } from './refusal.tsx'
import { texts } from './texts.arb'

export function ErrorScreen({ state, send }: PartProps<ErrorState, RetryEvents>) {
  const { error, serverSaid } = useTexts(texts)
  const say = (words: string) => translateOwn(words, texts.english.error, error)
  return (
    <Failure
      title={say(state.title)}
      detail={
        state.code === undefined
          ? say(state.detail)
          : serverSaid({ code: state.code, sentence: state.detail })
      }
      button={say(state.button)}
      onPress={() => send('retry')}
    />
  )
}
