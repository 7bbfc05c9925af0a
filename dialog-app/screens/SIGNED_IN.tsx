import { useBranding } from '../face/branding.ts'
import { useText } from '../i18n/context.tsx'
import { Address } from '../ui/address.tsx'
import { Button } from '../ui/button.tsx'
import { Fact, Facts } from '../ui/group.tsx'
import { Logo } from '../ui/logo.tsx'
import { Lead, Title } from '../ui/title.tsx'
import styles from './LANDING.module.css'
import type { ScreenProps } from './screen.ts'
import { Stack } from './stack.tsx'

export function SIGNED_IN({ state, send }: ScreenProps<'SIGNED_IN'>) {
  const { signedIn, sign, address } = useText()
  const { name, logoUrl } = useBranding()
  const { email, phone, wallet } = state.user
  const account = email?.address ?? phone?.number
  return (
    <Stack>
      <div className={styles.brand}>
        <Logo name={name} url={logoUrl} />
        <Title>{signedIn.title}</Title>
        {account !== undefined && <Lead>{signedIn.detail(account)}</Lead>}
      </div>
      {wallet && (
        <Facts>
          <Fact term={sign.wallet}>
            <Address address={wallet.address} copyLabel={address.copy} copiedLabel={address.copied} />
          </Fact>
        </Facts>
      )}
      <Button
        kind="quiet"
        busy={state.status === 'logging-out' && signedIn.loggingOut}
        onPress={() => send({ type: 'log-out' })}
      >
        {signedIn.logOut}
      </Button>
    </Stack>
  )
}
