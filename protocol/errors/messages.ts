/** Messages that both sides of a boundary use. Messages of one capability are in that capability. */
export const messages = {
  mustBeAuthenticated: 'User must be authenticated before this call.',
  accountOfTypeLinked: (type: string) => `User already has an account of type ${type} linked.`,
} as const
