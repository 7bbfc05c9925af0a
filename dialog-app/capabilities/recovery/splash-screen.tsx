import type { PartProps } from '../../core/screen.ts'
import { useTexts } from '../../i18n/context.tsx'
import { Accordion } from '../../ui/accordion.tsx'
import { Button } from '../../ui/button.tsx'
import { Heading, Stack } from '../../ui/stack.tsx'
import { Lead, Title } from '../../ui/title.tsx'
import { WalletFace } from '../../ui/wallet-face.tsx'
import { texts } from './texts.ts'

export type SplashState = Readonly<Record<never, never>>
export type SplashEvents = { readonly next: readonly []; readonly cancel: readonly [] }

export function SplashScreen({ send }: PartProps<SplashState, SplashEvents>) {
  const { splash, why, cancel } = useTexts(texts)
  return (
    <Stack>
      <WalletFace />
      <Heading>
        <Title>{splash.title}</Title>
        <Lead>{splash.detail}</Lead>
      </Heading>
      <Stack>
        <Button onPress={() => send('next')}>{splash.next}</Button>
        <Button kind="text" onPress={() => send('cancel')}>
          {cancel}
        </Button>
      </Stack>
      <Accordion summary={why.question}>{why.answer}</Accordion>
    </Stack>
  )
}
