/** How long it is kept, for those who look into an incident. */
export const auditLimits = { keptSeconds: 365 * 86_400 } as const
