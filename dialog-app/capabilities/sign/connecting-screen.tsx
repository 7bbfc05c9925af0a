import type { NoEvents, PartProps } from '../../core/screen.ts'
import { useTexts } from '../../i18n/context.tsx'
import { Heading, Stack } from '../../ui/stack.tsx'
import { StatusSeal } from '../../ui/status-seal.tsx'
import { Lead, Title } from '../../ui/title.tsx'
import { WalletFace } from '../../ui/wallet-face.tsx'
import { texts } from './texts.ts'

/** Seen where this device is given its share of the wallet first. */
export type ConnectingState = { readonly status: 'recovering' }

export function ConnectingScreen(_props: PartProps<ConnectingState, NoEvents>) {
  const { connecting } = useTexts(texts)
  return (
    <Stack>
      <StatusSeal status="waiting">
        <WalletFace />
      </StatusSeal>
      <Heading>
        <Title>{connecting.title}</Title>
        <Lead>{connecting.recovering}</Lead>
      </Heading>
    </Stack>
  )
}
