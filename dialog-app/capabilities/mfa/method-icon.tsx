import type { MfaMethodType } from '@latchkey/protocol'
import type { ReactElement } from 'react'
import { LaterIcon } from '../../ui/later-icon.tsx'
import { Mark } from '../../ui/marks/mark.tsx'
import { passkey } from '../../ui/marks/passkey.ts'

const icons: { readonly [method in MfaMethodType]: ReactElement } = {
  totp: <LaterIcon name="timer" />,
  sms: <LaterIcon name="phone" />,
  passkey: <Mark drawing={passkey} />,
}

export const methodIcon = (method: MfaMethodType) => icons[method]
