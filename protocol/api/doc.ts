/** Sentences and error codes of boundary 3, for the document and for OpenAPI. Nothing in a browser reads this. */
import { accountDeletionDoc } from './account-deletion.doc.ts'
import { activityDoc } from './activity.doc.ts'
import { analyticsDoc } from './analytics.doc.ts'
import { appDoc } from './apps.doc.ts'
import { cloudWindowDoc } from './cloud-windows.doc.ts'
import { confirmDoc } from './confirm.doc.ts'
import { crossAppDoc } from './cross-app.doc.ts'
import { customJwtDoc } from './custom-jwt.doc.ts'
import { emailDoc } from './email.doc.ts'
import { farcasterDoc } from './farcaster.doc.ts'
import { farcasterSignerDoc } from './farcaster-signer.doc.ts'
import { fundingDoc } from './funding.doc.ts'
import { handoverDoc } from './handover.doc.ts'
import type { apiRoutes } from './index.ts'
import { mfaDoc } from './mfa.doc.ts'
import { noticeDoc } from './notices.doc.ts'
import { oauthDoc } from './oauth.doc.ts'
import { passkeyDoc } from './passkey.doc.ts'
import { passkeyWindowDoc } from './passkey-window.doc.ts'
import { priceDoc } from './prices.doc.ts'
import { providerDoc } from './provider.doc.ts'
import { recoveryDoc } from './recovery.doc.ts'
import { recoveryPasskeyDoc } from './recovery-passkey.doc.ts'
import type { RoutesDoc } from './route.ts'
import { sessionDoc } from './sessions.doc.ts'
import { siweDoc } from './siwe.doc.ts'
import { smsDoc } from './sms.doc.ts'
import { telegramDoc } from './telegram.doc.ts'
import { userDoc } from './users.doc.ts'
import { walletDoc } from './wallets.doc.ts'

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
