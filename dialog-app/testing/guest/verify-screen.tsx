import type { PartProps } from '../../flow/screen.ts'
import { useTexts } from '../../i18n/context.tsx'
import { Button } from '../../ui/button.tsx'
import { Heading, Stack } from '../../ui/stack.tsx'
import { Lead, Title } from '../../ui/title.tsx'
import { texts } from './texts.arb'

export type VerifyEvents = { confirm: readonly [] }

export function VerifyScreen({ send }: PartProps<unknown, VerifyEvents>) {
  const { verify } = useTexts(texts)
  return (
    <Stack>
      <Heading>
        <Title>{verify.title}</Title>
        <Lead>{verify.detail}</Lead>
      </Heading>
      <Button onPress={() => send('confirm')}>{verify.confirm}</Button>
    </Stack>
  )
}
