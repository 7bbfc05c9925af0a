/** Texts that both sides of a boundary say. What one capability says alone stands with it. */
export const messages = {
  mustBeAuthenticated: 'User must be authenticated before this call.',
  accountOfTypeLinked: (type: string) => `User already has an account of type ${type} linked.`,
} as const
