/** How long a link takes back what it came with, at least. */
export const newMethodLimits = { linkSeconds: 72 * 3_600 } as const
