/** Every capability of the server. It is the only place that names them. */
import { accountDeletion } from './account-deletion/capability.ts'
import { analytics } from './analytics/capability.ts'
import { apps } from './apps/capability.ts'
import { attempts } from './attempts/capability.ts'
import { audit } from './audit/capability.ts'
import type { Capability } from './capability.ts'
import { captcha } from './captcha/capability.ts'
import { chains } from './chains/capability.ts'
import { codes } from './codes/capability.ts'
import { confirm } from './confirm/capability.ts'
import { farcasterSigner } from './farcaster-signer/capability.ts'
import { funding } from './funding/capability.ts'
import { replay } from './http/capability.ts'
import { crossApp } from './login/cross-app/capability.ts'
import { customJwt } from './login/custom-jwt/capability.ts'
import { email } from './login/email/capability.ts'
import { farcaster } from './login/farcaster/capability.ts'
import { oauth } from './login/oauth/capability.ts'
import { passkey } from './login/passkey/capability.ts'
import { siwe } from './login/siwe/capability.ts'
import { smsLogin } from './login/sms/capability.ts'
import { telegram } from './login/telegram/capability.ts'
import { loginWindow } from './login/window/capability.ts'
import { mail } from './mail/capability.ts'
import { mfa } from './mfa/capability.ts'
import { mfaPasskey } from './mfa/passkey/capability.ts'
import { mfaSms } from './mfa/sms/capability.ts'
import { mfaTotp } from './mfa/totp/capability.ts'
import { newMethods } from './new-methods/capability.ts'
import { notices } from './notices/capability.ts'
import { openapi } from './openapi/capability.ts'
import { prices } from './prices/capability.ts'
import { provider } from './provider/capability.ts'
import { providerRequests } from './provider/requests/capability.ts'
import { recovery } from './recovery/capability.ts'
import { sessions } from './sessions/capability.ts'
import { sms } from './sms/capability.ts'
import { takeBack } from './take-back/capability.ts'
import { users } from './users/capability.ts'
import { verification } from './verification/capability.ts'
import { wallets } from './wallets/capability.ts'

export const capabilities: readonly Capability[] = [
  // What every capability runs on.
  attempts,
  audit,
  replay,
  openapi,
  mail,
  sms,
  captcha,
  chains,
  prices,
  codes,
  apps,
  users,
  sessions,
  analytics,
  // What a person can do.
  verification,
  notices,
  newMethods,
  wallets,
  recovery,
  confirm,
  email,
  smsLogin,
  loginWindow,
  oauth,
  crossApp,
  telegram,
  customJwt,
  siwe,
  passkey,
  farcaster,
  farcasterSigner,
  funding,
  provider,
  providerRequests,
  // How they show that it is them.
  mfa,
  mfaTotp,
  mfaSms,
  mfaPasskey,
  takeBack,
  // How they leave.
  accountDeletion,
]
