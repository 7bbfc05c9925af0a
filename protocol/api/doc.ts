/** Sentences and error codes of boundary 3, for the document and for OpenAPI. Nothing in a browser reads this. */
import { accountDeletionDoc } from '../capabilities/account-deletion.ts'
import { activityDoc } from '../capabilities/activity.ts'
import { analyticsDoc } from '../capabilities/analytics/api.ts'
import { appDoc } from '../capabilities/apps.ts'
import { confirmDoc } from '../capabilities/confirm/api.ts'
import { confirmPageDoc } from '../capabilities/confirm/page.ts'
import { crossAppDoc } from '../capabilities/cross-app/api.ts'
import { customJwtDoc } from '../capabilities/custom-jwt.ts'
import { emailDoc } from '../capabilities/email.ts'
import { farcasterDoc } from '../capabilities/farcaster/api.ts'
import { farcasterSignerDoc } from '../capabilities/farcaster-signer/api.ts'
import { fundingDoc } from '../capabilities/funding/api.ts'
import { handoverDoc } from '../capabilities/handover.ts'
import { mfaDoc } from '../capabilities/mfa/api.ts'
import { noticeDoc } from '../capabilities/notices.ts'
import { oauthDoc } from '../capabilities/oauth/api.ts'
import { passkeyDoc } from '../capabilities/passkey/api.ts'
import { passkeyWindowDoc } from '../capabilities/passkey/window.ts'
import { priceDoc } from '../capabilities/prices.ts'
import { providerDoc } from '../capabilities/provider/api.ts'
import { recoveryDoc } from '../capabilities/recovery/api.ts'
import { cloudWindowDoc } from '../capabilities/recovery/clouds.ts'
import { recoveryPasskeyDoc } from '../capabilities/recovery/passkey-api.ts'
import { sessionDoc } from '../capabilities/sessions.ts'
import { siweDoc } from '../capabilities/siwe/api.ts'
import { smsDoc } from '../capabilities/sms.ts'
import { telegramDoc } from '../capabilities/telegram/api.ts'
import { userDoc } from '../capabilities/users.ts'
import { walletDoc } from '../capabilities/wallets.ts'
import type { RoutesDoc } from '../rows/route.ts'
import type { apiRoutes } from './index.ts'

export const apiDoc: RoutesDoc<typeof apiRoutes> = {
  ...accountDeletionDoc,
  ...activityDoc,
  ...analyticsDoc,
  ...appDoc,
  ...confirmDoc,
  ...confirmPageDoc,
  ...customJwtDoc,
  ...emailDoc,
  ...farcasterDoc,
  ...farcasterSignerDoc,
  ...mfaDoc,
  ...noticeDoc,
  ...oauthDoc,
  ...passkeyDoc,
  ...passkeyWindowDoc,
  ...sessionDoc,
  ...siweDoc,
  ...smsDoc,
  ...telegramDoc,
  ...userDoc,
  ...walletDoc,
  ...recoveryDoc,
  ...recoveryPasskeyDoc,
  ...priceDoc,
  ...fundingDoc,
  ...cloudWindowDoc,
  ...crossAppDoc,
  ...handoverDoc,
  ...providerDoc,
}
