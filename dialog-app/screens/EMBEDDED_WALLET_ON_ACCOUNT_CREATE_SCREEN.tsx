import { useText } from '../i18n/context.tsx'
import { StatusSeal } from '../ui/status-seal.tsx'
import { Lead, Title } from '../ui/title.tsx'
import { Failure } from './failure.tsx'
import type { ScreenProps } from './screen.ts'
import { Heading, Stack } from './stack.tsx'
import { WalletFace } from './wallet-face.tsx'

type Props = ScreenProps<'EMBEDDED_WALLET_ON_ACCOUNT_CREATE_SCREEN'>

export function EMBEDDED_WALLET_ON_ACCOUNT_CREATE_SCREEN({ state, send }: Props) {
  const { walletCreate } = useText()
  if (state.status === 'failed') {
    return (
      <Failure
        title={walletCreate.failedTitle}
        detail={state.problem}
        button={walletCreate.retry}
        onPress={() => send({ type: 'retry' })}
      />
    )
  }
  return (
    <Stack>
      <StatusSeal status="waiting">
        <WalletFace />
      </StatusSeal>
      <Heading>
        <Title>{walletCreate.title}</Title>
        <Lead>{walletCreate.detail}</Lead>
      </Heading>
    </Stack>
  )
}
