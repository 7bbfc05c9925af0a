/** Shows the secret of a new authenticator app, as a QR code and as text. */
import { useDialog } from '../../../../app/context.ts'
import { useLeaveWords } from '../../../../app/screen-options.ts'
import { useTexts } from '../../../../i18n/context.tsx'
import { AppQr } from '../../../../phone-app/app-qr.tsx'
import { Button, ButtonLink } from '../../../../ui/button.tsx'
import { CopyRow } from '../../../../ui/rows/copy-row.tsx'
import { Heading, Stack, StepCount } from '../../../../ui/stack.tsx'
import { Lead, Title } from '../../../../ui/title.tsx'
import { type EnrolmentProps, stepCount } from '../../enrol/enrolment.ts'
import type { TotpSecret } from '../../method-change.ts'
import { enrolCodeScreen } from '../../screens.ts'
import { texts } from '../../texts.arb'
import styles from '../scan-screen.module.css'

export function ScanScreen({ enrolment, secret, screen }: EnrolmentProps<{ secret: TotpSecret }>) {
  const { screens } = useDialog()
  useLeaveWords(useTexts(texts).leave)
  async function takeCode() {
    if (await screens.open(enrolCodeScreen, { enrolment })) screen.resolve('added')
  }
  return <ScanView {...secret} isPhone={enrolment.ports.isPhone} onContinue={() => void takeCode()} />
}

export type ScanViewProps = TotpSecret & {
  /** The authenticator app is on this device, which cannot scan its own screen. */
  isPhone: boolean
  onContinue: () => void
}

/** A camera reads it from an arm's length. */
const codeSizePx = 184

export function ScanView({ secret, authUrl, isPhone, onContinue }: ScanViewProps) {
  const { totp, steps } = useTexts(texts)
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
      <Button onPress={onContinue}>{totp.go}</Button>
    </Stack>
  )
}

/** Groups the secret by four characters, for typing. */
const grouped = (secret: string) => secret.match(/.{1,4}/g)?.join(' ') ?? secret
