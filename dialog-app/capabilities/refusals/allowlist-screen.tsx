import type { PartProps } from '../../flow/screen.ts'
import { useTexts } from '../../i18n/context.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import type { AllowlistState } from './allowlist-text.ts'
import { Refusal, type RetryEvents } from './refusal.tsx'
import { texts } from './texts.arb'

export function AllowlistScreen({ state, send }: PartProps<AllowlistState, RetryEvents>) {
  const { allowlist } = useTexts(texts)
  const { title = allowlist.title, detail = allowlist.detail, button = allowlist.button, link } = state
  return (
    <Refusal icon={<Icon name="lock" size={28} />} title={title} detail={detail}>
      {link === undefined ? (
        <Button onPress={() => send('retry')}>{button}</Button>
      ) : (
        <>
          <ButtonLink href={link}>{button}</ButtonLink>
          <Button kind="text" onPress={() => send('retry')}>
            {allowlist.button}
          </Button>
        </>
      )}
    </Refusal>
  )
}
