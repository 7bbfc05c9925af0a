import { accountDeletionRoutes } from '../capabilities/account-deletion.ts'
import { activityRoutes } from '../capabilities/activity.ts'
import { analyticsRoutes } from '../capabilities/analytics/api.ts'
import { appRoutes } from '../capabilities/apps.ts'
import { confirmRoutes } from '../capabilities/confirm/api.ts'
import { confirmPageRoutes } from '../capabilities/confirm/page.ts'
import { crossAppRoutes } from '../capabilities/cross-app/api.ts'
import { customJwtRoutes } from '../capabilities/custom-jwt.ts'
import { emailRoutes } from '../capabilities/email.ts'
import { farcasterRoutes } from '../capabilities/farcaster/api.ts'
import { farcasterSignerRoutes } from '../capabilities/farcaster-signer/api.ts'
import { fundingRoutes } from '../capabilities/funding/api.ts'
import { handoverRoutes } from '../capabilities/handover.ts'
import { mfaRoutes } from '../capabilities/mfa/api.ts'
import { noticeRoutes } from '../capabilities/notices.ts'
import { oauthRoutes } from '../capabilities/oauth/api.ts'
import { ownSessionRoutes } from '../capabilities/own-sessions.ts'
import { passkeyRoutes } from '../capabilities/passkey/api.ts'
import { passkeyPageRoutes, passkeyWindowRoutes } from '../capabilities/passkey/window.ts'
import { priceRoutes } from '../capabilities/prices.ts'
import { providerRoutes } from '../capabilities/provider/api.ts'
import { recoveryRoutes } from '../capabilities/recovery/api.ts'
import { cloudWindowRoutes } from '../capabilities/recovery/clouds.ts'
import { recoveryPasskeyRoutes } from '../capabilities/recovery/passkey-api.ts'
import { sessionRoutes } from '../capabilities/sessions.ts'
import { siweRoutes } from '../capabilities/siwe/api.ts'
import { smsRoutes } from '../capabilities/sms.ts'
import { sponsorRoutes } from '../capabilities/sponsor/api.ts'
import { telegramRoutes } from '../capabilities/telegram/api.ts'
import { userRoutes } from '../capabilities/users.ts'
import { walletRoutes, walletTokenRoutes } from '../capabilities/wallets.ts'

export * from '../capabilities/account-deletion.ts'
export * from '../capabilities/activity.ts'
export * from '../capabilities/analytics/api.ts'
export * from '../capabilities/apps.ts'
export * from '../capabilities/confirm/api.ts'
export * from '../capabilities/confirm/page.ts'
export * from '../capabilities/cross-app/api.ts'
export * from '../capabilities/cross-app/limits.ts'
export * from '../capabilities/custom-jwt.ts'
export * from '../capabilities/email.ts'
export * from '../capabilities/farcaster/api.ts'
export * from '../capabilities/farcaster-signer/api.ts'
export * from '../capabilities/farcaster-signer/limits.ts'
export * from '../capabilities/funding/api.ts'
export * from '../capabilities/funding/limits.ts'
export * from '../capabilities/handover.ts'
export * from '../capabilities/mfa/api.ts'
export * from '../capabilities/notices.ts'
export * from '../capabilities/oauth/api.ts'
export * from '../capabilities/own-sessions.ts'
export * from '../capabilities/passkey/api.ts'
export * from '../capabilities/passkey/credentials.ts'
export * from '../capabilities/passkey/window.ts'
export * from '../capabilities/prices.ts'
export * from '../capabilities/provider/api.ts'
export * from '../capabilities/provider/requests.ts'
export * from '../capabilities/recovery/api.ts'
export { cloudWindowDoc, cloudWindowRoutes } from '../capabilities/recovery/clouds.ts'
export * from '../capabilities/recovery/passkey-api.ts'
export * from '../capabilities/sessions.ts'
export * from '../capabilities/siwe/api.ts'
export * from '../capabilities/sms.ts'
export * from '../capabilities/sponsor/api.ts'
export * from '../capabilities/telegram/api.ts'
export * from '../capabilities/users.ts'
export * from '../capabilities/wallets.ts'
export * from '../rows/route.ts'
export {
  oneUse,
  type Relay,
  startAnswer,
  startQuestion,
  startStatement,
  type WindowPurpose,
} from '../windows/relay.ts'

/**
 * All calls of boundary 3. Pages import single rows instead. A module exports its rows as `<name>Routes` and their
 * descriptions as `<name>Doc`, which `doc.ts` finds by name.
 */
export const apiRoutes = {
  ...appRoutes,
  ...sessionRoutes,
  ...ownSessionRoutes,
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
  ...sponsorRoutes,
  ...priceRoutes,
  ...fundingRoutes,
  ...activityRoutes,
  ...analyticsRoutes,
} as const
