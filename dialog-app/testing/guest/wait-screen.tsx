import { useTexts } from '../../i18n/context.tsx'
import { Heading, Stack } from '../../ui/stack.tsx'
import { Lead, Title } from '../../ui/title.tsx'
import { texts } from './texts.arb'

export function WaitScreen() {
  const { wait } = useTexts(texts)
  return (
    <Stack>
      <Heading>
        <Title>{wait.title}</Title>
        <Lead>{wait.detail}</Lead>
      </Heading>
    </Stack>
  )
}
