import type { ReactNode } from 'react'
import { ButtonLink } from '../ui/button.tsx'
import { Waiting } from '../ui/feedback/waiting.tsx'
import { Qr } from '../ui/qr/qr.tsx'
import { Heading, Stack } from '../ui/stack.tsx'
import { Lead, Title } from '../ui/title.tsx'
import styles from './awaiting-phone.module.css'

type AwaitingPhoneProps = {
  uri: string
  /** The approving app is on this device. */
  isPhone: boolean
  scan: { title: string; detail: string; label: string }
  follow: { title: string; detail: string; link: string }
  /** The logo in the middle of the QR code. */
  logoUrl: string
  /** The icon of the approving app. */
  children: ReactNode
}

/** Large enough to scan from arm's length. */
const codeSizePx = 208

/** Asks for an approval in a phone app: by QR code, or by link on the phone itself. */
export function AwaitingPhone({ uri, isPhone, scan, follow, logoUrl, children }: AwaitingPhoneProps) {
  if (isPhone) {
    return (
      <Stack>
        <Waiting title={follow.title} detail={follow.detail}>
          {children}
        </Waiting>
        <ButtonLink href={uri}>{follow.link}</ButtonLink>
      </Stack>
    )
  }
  return (
    <Stack>
      <Heading>
        <Title>{scan.title}</Title>
        <Lead>{scan.detail}</Lead>
      </Heading>
      <div className={styles.code}>
        <Qr value={uri} label={scan.label} sizePx={codeSizePx} logoUrl={logoUrl} />
      </div>
    </Stack>
  )
}
