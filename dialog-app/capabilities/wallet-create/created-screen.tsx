import type { NoEvents, PartProps } from '../../core/screen.ts'
import { useTexts } from '../../i18n/context.tsx'
import { Heading, Stack } from '../../ui/stack.tsx'
import { StatusSeal } from '../../ui/status-seal.tsx'
import { Lead, Title } from '../../ui/title.tsx'
import { texts } from './texts.ts'

export type CreatedState = { readonly title: 'Welcome' | 'All set!' }

const titleKeys = { Welcome: 'welcome', 'All set!': 'allSet' } as const satisfies Record<
  CreatedState['title'],
  string
>

export function CreatedScreen({ state }: PartProps<CreatedState, NoEvents>) {
  const { created } = useTexts(texts)
  return (
    <Stack>
      <StatusSeal status="done" />
      <Heading>
        <Title>{created[titleKeys[state.title]]}</Title>
        <Lead>{created.detail}</Lead>
      </Heading>
    </Stack>
  )
}
