import type { MfaMethodType } from '@latchkey/protocol'
import type { ReactElement } from 'react'
import { RowIcon } from '../../ui/lazy/row-icon.tsx'
import { Mark } from '../../ui/marks/mark.tsx'
import { passkey } from '../../webauthn/passkey-mark.ts'

const icons: { [method in MfaMethodType]: ReactElement } = {
  totp: <RowIcon name="timer" />,
  sms: <RowIcon name="phone" />,
  passkey: <Mark drawing={passkey} />,
}

export const methodIcon = (method: MfaMethodType) => icons[method]
