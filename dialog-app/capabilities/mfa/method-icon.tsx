import type { MfaMethodType } from '@latchkey/protocol'
import type { ReactElement } from 'react'
import { Mark } from '../../ui/marks/mark.tsx'
import { LaterIcon } from '../../ui/row-icon.tsx'
import { passkey } from '../../webauthn/passkey-mark.ts'

const icons: { readonly [method in MfaMethodType]: ReactElement } = {
  totp: <LaterIcon name="timer" />,
  sms: <LaterIcon name="phone" />,
  passkey: <Mark drawing={passkey} />,
}

export const methodIcon = (method: MfaMethodType) => icons[method]
