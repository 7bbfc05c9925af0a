import { useTexts } from '../../../i18n/context.tsx'
import { ButtonLink } from '../../../ui/button.tsx'
import { Waiting } from '../../../ui/feedback/waiting.tsx'
import { Heading, Stack } from '../../../ui/stack.tsx'
import { Lead, Title } from '../../../ui/title.tsx'
import type { WalletFace } from '../sources/offered-wallets.ts'
import { texts } from '../texts.arb'
import styles from './absent-wallet-screens.module.css'
import { WalletMark } from './wallet-mark.tsx'

export type InstallProps = {
  /** Undefined if the host only offers detected wallets, and the browser has none. */
  wallet: { name: string; extension: string } | undefined
}

export function InstallScreen({ wallet }: InstallProps) {
  const { install } = useTexts(texts)
  return (
    <Stack>
      <Heading>
        <Title>{wallet ? install.title({ wallet: wallet.name }) : install.none}</Title>
        <Lead>{install.detail}</Lead>
      </Heading>
      <ol className={styles.steps}>
        <li>{wallet ? install.extensionOf({ wallet: wallet.name }) : install.extension}</li>
        <li>{install.setUp}</li>
        <li>{install.phrase}</li>
        <li>{install.reload}</li>
      </ol>
      {wallet && <ButtonLink href={wallet.extension}>{install.button({ wallet: wallet.name })}</ButtonLink>}
    </Stack>
  )
}

export type PhoneProps = {
  wallet: WalletFace
  /** The link opens this page in the wallet's own browser. */
  open: string | undefined
  store: string
}

const markPx = 32

export function PhoneScreen({ wallet, open, store }: PhoneProps) {
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
