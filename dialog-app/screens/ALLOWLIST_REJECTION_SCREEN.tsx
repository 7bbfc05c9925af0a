import { useText } from '../i18n/context.tsx'
import { en } from '../i18n/en.ts'
import { inOwnWords } from '../i18n/own-words.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Refusal } from './refusal.tsx'
import type { ScreenProps } from './screen.ts'

export function ALLOWLIST_REJECTION_SCREEN({ state, send }: ScreenProps<'ALLOWLIST_REJECTION_SCREEN'>) {
  const { allowlist } = useText()
  const button = inOwnWords(state.button, en.allowlist.button, allowlist.button)
  return (
    <Refusal
      icon="lock"
      title={inOwnWords(state.title, en.allowlist.title, allowlist.title)}
      detail={inOwnWords(state.detail, en.allowlist.detail, allowlist.detail)}
    >
      {state.link === undefined ? (
        <Button onPress={() => send({ type: 'retry' })}>{button}</Button>
      ) : (
        <>
          <ButtonLink href={state.link}>{button}</ButtonLink>
          <Button kind="text" onPress={() => send({ type: 'retry' })}>
            {allowlist.button}
          </Button>
        </>
      )}
    </Refusal>
  )
}
