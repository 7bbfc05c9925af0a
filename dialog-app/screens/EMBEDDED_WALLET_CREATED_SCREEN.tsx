import type { WalletCreatedState } from '../flows/view-state.ts'
import { useText } from '../i18n/context.tsx'
import { StatusSeal } from '../ui/status-seal.tsx'
import { Lead, Title } from '../ui/title.tsx'
import type { ScreenProps } from './screen.ts'
import { Heading, Stack } from './stack.tsx'

const titleKeys = { Welcome: 'welcome', 'All set!': 'allSet' } as const satisfies Record<
  WalletCreatedState['title'],
  string
>

export function EMBEDDED_WALLET_CREATED_SCREEN({ state }: ScreenProps<'EMBEDDED_WALLET_CREATED_SCREEN'>) {
  const { walletCreated } = useText()
  return (
    <Stack>
      <StatusSeal status="done" />
      <Heading>
        <Title>{walletCreated[titleKeys[state.title]]}</Title>
        <Lead>{walletCreated.detail}</Lead>
      </Heading>
    </Stack>
  )
}
