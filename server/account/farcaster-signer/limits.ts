/** What a user may have asked of Farcaster in the name of the operator's account. */
export const signerRequestLimits = { perDay: 30, daySeconds: 24 * 60 * 60 } as const
