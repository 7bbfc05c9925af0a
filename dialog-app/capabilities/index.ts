/** What this dialog can do: the one list of capabilities. Steps after a login come in this order. */
import type { ScreenName } from '@latchkey/protocol'
import type { HostCallName } from '../core/host-calls.ts'
import { captcha } from './captcha/captcha.ts'
import { codes } from './codes/codes.ts'
import { email } from './email/email.ts'
import { landing } from './landing/landing.ts'
import { linking } from './linking/linking.ts'
import { oauth } from './oauth/oauth.ts'
import { passkey } from './passkey/passkey.ts'
import { recovery } from './recovery/recovery.ts'
import { refusals } from './refusals/refusals.ts'
import { sign } from './sign/sign.ts'
import { signedIn } from './signed-in/signed-in.ts'
import { sms } from './sms/sms.ts'
import { terms } from './terms/terms.ts'
import { walletCreate } from './wallet-create/wallet-create.ts'

export const capabilities = [
  landing,
  codes,
  email,
  sms,
  oauth,
  passkey,
  captcha,
  linking,
  refusals,
  terms,
  walletCreate,
  recovery,
  sign,
  signedIn,
] as const

type Listed = (typeof capabilities)[number]
type Shown<C> = C extends { readonly screens: () => Promise<readonly (infer Screen)[]> } ? Screen : never
export type Screens = Shown<Listed>

type Nothing<Missing extends never> = Missing
/** Does not compile while a name of the protocol has no record, or a record has no name there. */
export type NamesWithoutScreen = Nothing<Exclude<ScreenName, Screens['name']>>
export type ScreensWithoutName = Nothing<Exclude<Screens['name'], ScreenName>>

type Served<C> = C extends { readonly bring: (...ports: never) => { readonly hostCalls: infer Calls } }
  ? keyof Calls
  : never
/** Does not compile while nobody serves a call of the contract. */
export type CallsWithoutCapability = Nothing<Exclude<HostCallName, Served<Listed>>>
