/** Challenges that are made for the passkey of a wallet to approve one request; then its page asks for a code. */
export const approvingLimits = { challenges: [{ limit: 10, windowSeconds: 10 * 60 }] } as const
