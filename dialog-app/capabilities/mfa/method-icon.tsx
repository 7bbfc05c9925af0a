import type { MfaMethodType } from '@latchkey/protocol'
import type { ReactElement } from 'react'
import { Mark } from '../../ui/marks/mark.tsx'
import { RowIcon } from '../../ui/row-icon.tsx'
import { passkey } from '../../webauthn/passkey-mark.ts'

const icons: { [method in MfaMethodType]: ReactElement } = {
  totp: <RowIcon name="timer" />,
  sms: <RowIcon name="phone" />,
  passkey: <Mark drawing={passkey} />,
}

export const methodIcon = (method: MfaMethodType) => icons[method]
