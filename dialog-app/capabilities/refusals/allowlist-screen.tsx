import type { PartProps } from '../../flow/screen.ts'
import { useTexts } from '../../i18n/context.tsx'
import { translateOwn } from '../../i18n/own-words.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import type { AllowlistState } from './allowlist-text.ts'
import { Refusal, type RetryEvents } from './refusal.tsx'
import { texts } from './texts.arb'

export function AllowlistScreen({ state, send }: PartProps<AllowlistState, RetryEvents>) {
  const { allowlist } = useTexts(texts)
  const say = (words: string) => translateOwn(words, texts.english.allowlist, allowlist)
  return (
    <Refusal icon={<Icon name="lock" size={28} />} title={say(state.title)} detail={say(state.detail)}>
      {state.link === undefined ? (
        <Button onPress={() => send('retry')}>{say(state.button)}</Button>
      ) : (
        <>
          <ButtonLink href={state.link}>{say(state.button)}</ButtonLink>
          <Button kind="text" onPress={() => send('retry')}>
            {allowlist.button}
          </Button>
        </>
      )}
    </Refusal>
  )
}
