/** How long what has ended is kept, for those who look into an incident. */
export const endedSessionLimits = { keptSeconds: 7 * 86_400 } as const
