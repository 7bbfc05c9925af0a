import type { PartProps } from '../../core/screen.ts'
import { useLanguage, useTexts } from '../../i18n/context.tsx'
import { Button } from '../../ui/button.tsx'
import { Heading, Stack } from '../../ui/stack.tsx'
import { Lead, Title } from '../../ui/title.tsx'
import { WalletFace } from '../../ui/wallet-face.tsx'
import { texts } from './texts.ts'

/** From when on what the user showed opens the wallet; undefined where waiting does not help. */
export type TooNewState = { readonly untilSeconds: number | undefined }
export type TooNewEvents = { readonly back: readonly [] }

export function TooNewScreen({ state: { untilSeconds }, send }: PartProps<TooNewState, TooNewEvents>) {
  const { tooNew } = useTexts(texts)
  const language = useLanguage()
  const when = (seconds: number) =>
    new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(seconds * 1_000)
  return (
    <Stack>
      <WalletFace />
      <Heading>
        <Title>{tooNew.title}</Title>
        <Lead>{tooNew.detail}</Lead>
        <Lead>{untilSeconds === undefined ? tooNew.again : tooNew.until(when(untilSeconds))}</Lead>
      </Heading>
      <Button onPress={() => send('back')}>{tooNew.back}</Button>
    </Stack>
  )
}
