import * as v from 'valibot'
import { base64url, text } from './primitives.ts'

/** Entities of the other login methods, connections and the on-ramp. */
const option = v.exactOptional

export const phoneInputSchema = v.object({
  rawPhoneNumber: text,
  qualifiedPhoneNumber: text,
  countryCode: text,
  isValid: v.boolean(),
})
export type PhoneInput = v.InferOutput<typeof phoneInputSchema>

export const totpEnrollmentSchema = v.object({ authUrl: text, secret: text })
export type TotpEnrollment = v.InferOutput<typeof totpEnrollmentSchema>

export const farcasterSignerSchema = v.object({
  publicKey: text,
  status: v.picklist(['pending_approval', 'approved', 'revoked']),
  signerApprovalUrl: option(text),
  fid: option(v.number()),
})
export type FarcasterSigner = v.InferOutput<typeof farcasterSignerSchema>

export const passkeyChallengeOptionsSchema = v.object({
  challenge: base64url,
  timeout: option(v.number()),
  rpId: option(text),
  allowCredentials: option(
    v.array(v.object({ id: base64url, type: text, transports: option(v.array(text)) })),
  ),
  userVerification: option(text),
  extensions: option(
    v.object({
      appId: option(text),
      credProps: option(v.object({ rk: v.boolean() })),
      hmacCreateSecret: option(v.boolean()),
    }),
  ),
})
export type PasskeyChallengeOptions = v.InferOutput<typeof passkeyChallengeOptionsSchema>

export const passkeyAssertionSchema = v.object({
  id: base64url,
  rawId: base64url,
  response: v.object({
    clientDataJson: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: option(v.nullable(base64url)),
  }),
  authenticatorAttachment: option(v.nullable(text)),
  clientExtensionResults: v.object({
    appId: option(v.boolean()),
    credProps: option(v.object({ rk: option(v.boolean()) })),
    hmacCreateSecret: option(v.boolean()),
  }),
  type: text,
})
export type PasskeyAssertion = v.InferOutput<typeof passkeyAssertionSchema>

export const walletConnectionSchema = v.object({
  status: v.picklist(['connected', 'switching_to_supported_chain']),
  connector: v.object({ connectorType: text, walletClientType: text }),
})
export type WalletConnection = v.InferOutput<typeof walletConnectionSchema>

export const walletBrandingSchema = v.object({ displayName: text, logo: text, rdns: option(text) })
export type WalletBranding = v.InferOutput<typeof walletBrandingSchema>

export const crossAppConnectionSchema = v.object({
  providerAppId: text,
  providerAppName: text,
  providerAppIconUrl: v.nullable(text),
  providerAppCustomApiUrl: v.nullable(text),
  readOnly: option(v.boolean()),
})
export type CrossAppConnection = v.InferOutput<typeof crossAppConnectionSchema>

export const onRampStatuses = [
  'completed',
  'failed',
  'serviceFailure',
  'waitingAuthorization',
  'pending',
] as const
export const onRampTransactionSchema = v.object({
  status: v.picklist(onRampStatuses),
  paymentMethod: option(text),
  cardPaymentType: option(text),
  currency: option(v.object({ code: text })),
  baseCurrencyAmount: option(v.number()),
  quoteCurrencyAmount: option(v.number()),
  feeAmount: option(v.number()),
  extraFeeAmount: option(v.number()),
  networkFeeAmount: option(v.number()),
})
export type OnRampTransaction = v.InferOutput<typeof onRampTransactionSchema>
