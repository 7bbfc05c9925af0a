import { accountDeletionRoutes } from './account-deletion.ts'
import { activityRoutes } from './activity.ts'
import { analyticsRoutes } from './analytics.ts'
import { appRoutes } from './apps.ts'
import { cloudWindowRoutes } from './cloud-windows.ts'
import { confirmRoutes } from './confirm.ts'
import { confirmPageRoutes } from './confirm-page.ts'
import { crossAppRoutes } from './cross-app.ts'
import { customJwtRoutes } from './custom-jwt.ts'
import { emailRoutes } from './email.ts'
import { farcasterRoutes } from './farcaster.ts'
import { farcasterSignerRoutes } from './farcaster-signer.ts'
import { fundingRoutes } from './funding.ts'
import { handoverRoutes } from './handover.ts'
import { mfaRoutes } from './mfa.ts'
import { noticeRoutes } from './notices.ts'
import { oauthRoutes } from './oauth.ts'
import { passkeyRoutes } from './passkey.ts'
import { passkeyPageRoutes, passkeyWindowRoutes } from './passkey-window.ts'
import { priceRoutes } from './prices.ts'
import { providerRoutes } from './provider.ts'
import { recoveryRoutes } from './recovery.ts'
import { recoveryPasskeyRoutes } from './recovery-passkey.ts'
import { sessionRoutes } from './sessions.ts'
import { siweRoutes } from './siwe.ts'
import { smsRoutes } from './sms.ts'
import { telegramRoutes } from './telegram.ts'
import { userRoutes } from './users.ts'
import { walletRoutes, walletTokenRoutes } from './wallets.ts'

export * from './account-deletion.ts'
export * from './activity.ts'
export * from './analytics.ts'
export * from './apps.ts'
export * from './cloud-windows.ts'
export * from './confirm.ts'
export * from './confirm-page.ts'
export * from './cross-app.limits.ts'
export * from './cross-app.ts'
export * from './custom-jwt.ts'
export * from './email.ts'
export * from './farcaster.ts'
export * from './farcaster-signer.limits.ts'
export * from './farcaster-signer.ts'
export * from './funding.limits.ts'
export * from './funding.ts'
export * from './handover.ts'
export * from './mfa.ts'
export * from './notices.ts'
export * from './oauth.ts'
export * from './passkey.ts'
export * from './passkey-window.ts'
export * from './prices.ts'
export * from './provider.ts'
export * from './provider-requests.ts'
export * from './recovery.ts'
export * from './recovery-passkey.ts'
export {
  oneUse,
  type Relay,
  startAnswer,
  startQuestion,
  startStatement,
  type WindowPurpose,
  windowPurposes,
} from './relay.ts'
export * from './route.ts'
export * from './sessions.ts'
export * from './siwe.ts'
export * from './sms.ts'
export * from './telegram.limits.ts'
export * from './telegram.ts'
export * from './users.ts'
export * from './wallets.ts'

/** Every call of boundary 3. What a page calls, it names by the rows themselves. */
export const apiRoutes = {
  ...appRoutes,
  ...sessionRoutes,
  ...handoverRoutes,
  ...emailRoutes,
  ...smsRoutes,
  ...oauthRoutes,
  ...crossAppRoutes,
  ...providerRoutes,
  ...telegramRoutes,
  ...siweRoutes,
  ...farcasterRoutes,
  ...farcasterSignerRoutes,
  ...passkeyRoutes,
  ...passkeyWindowRoutes,
  ...passkeyPageRoutes,
  ...customJwtRoutes,
  ...userRoutes,
  ...noticeRoutes,
  ...accountDeletionRoutes,
  ...walletTokenRoutes,
  ...walletRoutes,
  ...mfaRoutes,
  ...recoveryRoutes,
  ...recoveryPasskeyRoutes,
  ...cloudWindowRoutes,
  ...confirmRoutes,
  ...confirmPageRoutes,
  ...priceRoutes,
  ...fundingRoutes,
  ...activityRoutes,
  ...analyticsRoutes,
} as const
