import type { NoEvents, PartProps } from '../../flow/screen.ts'
import { useTexts } from '../../i18n/context.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { Waiting } from '../../ui/feedback/waiting.tsx'
import { Stack } from '../../ui/stack.tsx'
import type { WalletFace } from './offered-wallets.ts'
import { texts } from './texts.arb'
import { WalletMark } from './wallet-mark.tsx'

export type PhoneState = {
  readonly wallet: WalletFace
  /** The link opens this page in the wallet's own browser. */
  readonly open: string | undefined
  readonly store: string
}

const markPx = 32

export function PhoneScreen({ state: { wallet, open, store } }: PartProps<PhoneState, NoEvents>) {
  const { phone } = useTexts(texts)
  return (
    <Stack>
      <Waiting title={phone.title({ wallet: wallet.name })} detail={phone.detail({ wallet: wallet.name })}>
        <WalletMark wallet={wallet} size={markPx} />
      </Waiting>
      {open !== undefined && <ButtonLink href={open}>{phone.go}</ButtonLink>}
      <ButtonLink kind="quiet" href={store}>
        {phone.store}
      </ButtonLink>
    </Stack>
  )
}
