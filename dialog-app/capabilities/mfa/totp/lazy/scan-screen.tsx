import type { PartProps } from '../../../../flow/screen.ts'
import { useTexts } from '../../../../i18n/context.tsx'
import { AppQr } from '../../../../phone-app/app-qr.tsx'
import { Button, ButtonLink } from '../../../../ui/button.tsx'
import { CopyRow } from '../../../../ui/rows/copy-row.tsx'
import { Heading, Stack, StepCount } from '../../../../ui/stack.tsx'
import { Lead, Title } from '../../../../ui/title.tsx'
import { stepCount } from '../../method-change.ts'
import { texts } from '../../texts.arb'
import styles from '../scan-screen.module.css'

/** An authenticator app takes its secret in base32, or scans the address that says the same. */
export type TotpSecret = { secret: string; authUrl: string }
export type ScanState = TotpSecret & {
  /** The app is on this very device, which can not scan itself. */
  isPhone: boolean
}
export type ScanEvents = { go: readonly [] }

/** A camera reads it from an arm's length. */
const codeSizePx = 184

export function ScanScreen({ state, send }: PartProps<ScanState, ScanEvents>) {
  const { totp, steps } = useTexts(texts)
  const { secret, authUrl, isPhone } = state
  return (
    <Stack>
      <Heading>
        <StepCount>{steps({ at: 1, of: stepCount })}</StepCount>
        <Title>{totp.title}</Title>
        <Lead>{totp.detail}</Lead>
      </Heading>
      <div className={styles.code}>
        <AppQr value={authUrl} label={totp.code} sizePx={codeSizePx} />
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

/** Whoever types the secret reads it in fours. */
const grouped = (secret: string) => secret.match(/.{1,4}/g)?.join(' ') ?? secret
