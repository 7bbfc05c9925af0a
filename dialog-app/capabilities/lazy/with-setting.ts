/** Capabilities that load only if the app enables them. */
import type { Capability } from '../../contract/capability.ts'
import { captcha } from '../captcha/captcha.ts'
import { farcaster } from '../farcaster/farcaster.ts'
import { oauth } from '../oauth/oauth.ts'
import { passkey } from '../passkey/passkey.ts'
import { siwe } from '../siwe/siwe.ts'
import { sms } from '../sms/sms.ts'
import { telegram } from '../telegram/telegram.ts'

export const withSetting = [
  sms,
  oauth,
  telegram,
  siwe,
  passkey,
  farcaster,
  captcha,
] as const satisfies readonly (Capability & { comes: 'with its setting' })[]
