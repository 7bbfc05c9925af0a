/** A separate module, because the confirmation page uses it without the schemas of users. */
export const mfaMethodTypes = ['totp', 'sms', 'passkey'] as const
export type MfaMethodType = (typeof mfaMethodTypes)[number]
