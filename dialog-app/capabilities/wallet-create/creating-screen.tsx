import type { PartProps } from '../../core/screen.ts'
import { useTexts } from '../../i18n/context.tsx'
import { translateOwn } from '../../i18n/own-words.ts'
import { Failure } from '../../ui/failure.tsx'
import { Heading, Stack } from '../../ui/stack.tsx'
import { StatusSeal } from '../../ui/status-seal.tsx'
import { Lead, Title } from '../../ui/title.tsx'
import { WalletFace } from '../../ui/wallet-face.tsx'
import { texts } from './texts.ts'

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
    <Stack>
      <StatusSeal status="waiting">
        <WalletFace />
      </StatusSeal>
      <Heading>
        <Title>{creating.title}</Title>
        <Lead>{creating.detail}</Lead>
      </Heading>
    </Stack>
  )
}
