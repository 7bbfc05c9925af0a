import type { PartProps } from '../../../../flow/screen.ts'
import { useTexts } from '../../../../i18n/context.tsx'
import { Button, ButtonLink } from '../../../../ui/button.tsx'
import { Qr } from '../../../../ui/qr/qr.tsx'
import { CopyRow } from '../../../../ui/rows/copy-row.tsx'
import { Heading, Stack } from '../../../../ui/stack.tsx'
import { Lead, Title } from '../../../../ui/title.tsx'
import { texts } from '../../texts.arb'
import styles from '../scan-screen.module.css'

/** Of an authenticator app: its secret in base32, and the address that says the same to a camera. */
export type TotpSecret = { readonly secret: string; readonly authUrl: string }
export type ScanState = TotpSecret & {
  /** The app is on this very device, which can not scan itself. */
  readonly isPhone: boolean
}
export type ScanEvents = { readonly go: readonly [] }

/** A camera reads it from an arm's length. */
const codeSizePx = 184

export function ScanScreen({ state, send }: PartProps<ScanState, ScanEvents>) {
  const { totp } = useTexts(texts)
  const { secret, authUrl, isPhone } = state
  return (
    <Stack>
      <Heading>
        <Title>{totp.title}</Title>
        <Lead>{totp.detail}</Lead>
      </Heading>
      <div className={styles.code}>
        <Qr value={authUrl} label={totp.code} sizePx={codeSizePx} />
      </div>
      <CopyRow
        label={totp.secret}
        text={secret}
        shown={grouped(secret)}
        copyLabel={totp.copy}
        copiedLabel={totp.copied}
      />
      {isPhone && (
        <ButtonLink kind="quiet" href={authUrl}>
          {totp.open}
        </ButtonLink>
      )}
      <Button onPress={() => send('go')}>{totp.go}</Button>
    </Stack>
  )
}

/** In fours, for whoever types it. */
const grouped = (secret: string) => secret.match(/.{1,4}/g)?.join(' ') ?? secret
