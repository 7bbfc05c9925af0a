/** Sentences and error codes of boundary 3, for the document and for OpenAPI. Nothing in a browser reads this. */
import { accountDeletionDoc } from '../capabilities/account-deletion.doc.ts'
import { activityDoc } from '../capabilities/activity.doc.ts'
import { analyticsDoc } from '../capabilities/analytics/api.doc.ts'
import { appDoc } from '../capabilities/apps.doc.ts'
import { confirmDoc } from '../capabilities/confirm/api.doc.ts'
import { crossAppDoc } from '../capabilities/cross-app/api.doc.ts'
import { customJwtDoc } from '../capabilities/custom-jwt.doc.ts'
import { emailDoc } from '../capabilities/email.doc.ts'
import { farcasterDoc } from '../capabilities/farcaster/api.doc.ts'
import { farcasterSignerDoc } from '../capabilities/farcaster-signer/api.doc.ts'
import { fundingDoc } from '../capabilities/funding/api.doc.ts'
import { handoverDoc } from '../capabilities/handover.doc.ts'
import { mfaDoc } from '../capabilities/mfa/api.doc.ts'
import { noticeDoc } from '../capabilities/notices.doc.ts'
import { oauthDoc } from '../capabilities/oauth/api.doc.ts'
import { passkeyDoc } from '../capabilities/passkey/api.doc.ts'
import { passkeyWindowDoc } from '../capabilities/passkey/window.doc.ts'
import { priceDoc } from '../capabilities/prices.doc.ts'
import { providerDoc } from '../capabilities/provider/api.doc.ts'
import { recoveryDoc } from '../capabilities/recovery/api.doc.ts'
import { cloudWindowDoc } from '../capabilities/recovery/clouds.doc.ts'
import { recoveryPasskeyDoc } from '../capabilities/recovery/passkey-api.doc.ts'
import { sessionDoc } from '../capabilities/sessions.doc.ts'
import { siweDoc } from '../capabilities/siwe/api.doc.ts'
import { smsDoc } from '../capabilities/sms.doc.ts'
import { telegramDoc } from '../capabilities/telegram.doc.ts'
import { userDoc } from '../capabilities/users.doc.ts'
import { walletDoc } from '../capabilities/wallets.doc.ts'
import type { RoutesDoc } from '../rows/route.ts'
import type { apiRoutes } from './index.ts'

export const apiDoc: RoutesDoc<typeof apiRoutes> = {
  ...accountDeletionDoc,
  ...activityDoc,
  ...analyticsDoc,
  ...appDoc,
  ...confirmDoc,
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
