import { useText } from '../i18n/context.tsx'
import { StatusSeal } from '../ui/status-seal.tsx'
import { Lead, Title } from '../ui/title.tsx'
import type { ScreenProps } from './screen.ts'
import { Heading, Stack } from './stack.tsx'
import { WalletFace } from './wallet-face.tsx'

export function EMBEDDED_WALLET_CONNECTING_SCREEN({
  state,
}: ScreenProps<'EMBEDDED_WALLET_CONNECTING_SCREEN'>) {
  const { walletConnecting } = useText()
  return (
    <Stack>
      <StatusSeal status="waiting">
        <WalletFace />
      </StatusSeal>
      <Heading>
        <Title>{walletConnecting.title}</Title>
        <Lead>{state.status === 'recovering' ? walletConnecting.recovering : walletConnecting.detail}</Lead>
      </Heading>
    </Stack>
  )
}
