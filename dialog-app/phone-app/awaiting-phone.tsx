import type { ReactNode } from 'react'
import { ButtonLink } from '../ui/button.tsx'
import { Waiting } from '../ui/feedback/waiting.tsx'
import { Qr } from '../ui/qr/qr.tsx'
import { Heading, Stack } from '../ui/stack.tsx'
import { Lead, Title } from '../ui/title.tsx'
import styles from './awaiting-phone.module.css'

type AwaitingPhoneProps = {
  uri: string
  /** The app is on this device. */
  isPhone: boolean
  scan: { title: string; detail: string; label: string }
  follow: { title: string; detail: string; link: string }
  /** The logo stands in the middle of the QR code. */
  logoUrl: string
  /** The face of who is waited for. */
  children: ReactNode
}

/** A camera reads it from an arm's length. */
const codeSizePx = 208

/** What somebody approves in an app: by a code for the camera of their phone, or by a link on the phone itself. */
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
