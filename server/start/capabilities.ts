/** The capabilities of the server, listed here only. */
import { accountDeletion } from '../account/deletion/capability.ts'
import { farcasterSigner } from '../account/farcaster-signer/capability.ts'
import { recovery } from '../account/recovery/capability.ts'
import { takeBack } from '../account/take-back/capability.ts'
import { mfa, verification } from '../account/verification/capability.ts'
import { mfaPasskey } from '../account/verification/passkey/capability.ts'
import { mfaSms } from '../account/verification/sms/capability.ts'
import { mfaTotp } from '../account/verification/totp/capability.ts'
import { apps } from '../identity/apps/capability.ts'
import { audit } from '../identity/audit/capability.ts'
import { codes } from '../identity/codes/capability.ts'
import { newMethods } from '../identity/new-methods/capability.ts'
import { notices } from '../identity/notices/capability.ts'
import { sessions } from '../identity/sessions/capability.ts'
import { users } from '../identity/users/capability.ts'
import { captcha } from '../integrations/captcha/capability.ts'
import { chains } from '../integrations/chains/capability.ts'
import { mail } from '../integrations/mail/capability.ts'
import { prices } from '../integrations/prices/capability.ts'
import { relays } from '../integrations/relays/capability.ts'
import { sms } from '../integrations/sms/capability.ts'
import { templates } from '../integrations/templates/capability.ts'
import { attempts } from '../kernel/attempts/capability.ts'
import type { Capability } from '../kernel/capability.ts'
import { challenges } from '../kernel/challenges/capability.ts'
import { replay } from '../kernel/http/replay/capability.ts'
import { crossApp } from '../login/cross-app/capability.ts'
import { customJwt } from '../login/custom-jwt/capability.ts'
import { email } from '../login/email/capability.ts'
import { farcaster } from '../login/farcaster/capability.ts'
import { oauth } from '../login/oauth/capability.ts'
import { oidc } from '../login/oidc/capability.ts'
import { passkey } from '../login/passkey/capability.ts'
import { siwe } from '../login/siwe/capability.ts'
import { smsLogin } from '../login/sms/capability.ts'
import { telegram } from '../login/telegram/capability.ts'
import { loginWindow } from '../login/window/capability.ts'
import { analytics } from '../pages/analytics/capability.ts'
import { loaders } from '../pages/loaders/capability.ts'
import { admin } from '../platform/admin/capability.ts'
import { exports } from '../platform/admin/exports/capability.ts'
import { imports } from '../platform/admin/imports/capability.ts'
import { operators } from '../platform/admin/operators/capability.ts'
import { funding } from '../platform/funding/capability.ts'
import { hooks } from '../platform/hooks/capability.ts'
import { messages } from '../platform/messages/capability.ts'
import { provider } from '../platform/provider/capability.ts'
import { providerRequests } from '../platform/provider/requests/capability.ts'
import { webhooks } from '../platform/webhooks/capability.ts'
import { confirm } from '../wallet/confirm/capability.ts'
import { descriptors } from '../wallet/descriptors/capability.ts'
import { sponsor } from '../wallet/sponsor/capability.ts'
import { wallets } from '../wallet/wallets/capability.ts'
import { openapi } from './openapi/capability.ts'
import { system } from './system/capability.ts'

export const capabilities: Capability[] = [
  // Infrastructure that other capabilities use.
  attempts,
  challenges,
  audit,
  replay,
  openapi,
  system,
  templates,
  mail,
  sms,
  captcha,
  chains,
  relays,
  prices,
  codes,
  apps,
  users,
  sessions,
  analytics,
  loaders,
  // User features.
  verification,
  notices,
  newMethods,
  wallets,
  recovery,
  descriptors,
  confirm,
  sponsor,
  email,
  smsLogin,
  loginWindow,
  oauth,
  crossApp,
  oidc,
  telegram,
  customJwt,
  siwe,
  passkey,
  farcaster,
  farcasterSigner,
  funding,
  provider,
  providerRequests,
  // Second factors.
  mfa,
  mfaTotp,
  mfaSms,
  mfaPasskey,
  takeBack,
  // Account deletion.
  accountDeletion,
  // Operators' programs.
  admin,
  operators,
  exports,
  imports,
  webhooks,
  hooks,
  messages,
]
