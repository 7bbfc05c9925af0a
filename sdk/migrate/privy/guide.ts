/** The headings of the guide that this codemod implements, `docs/coming-from-privy.md`. */
const headings = {
  provider: 'the-provider',
  user: 'who-is-logged-in',
  wallets: 'wallets',
  backend: 'your-backend',
  impossible: 'what-cannot-be',
} as const
export type Heading = keyof typeof headings

export const linkTo = (heading: Heading): string => `docs/coming-from-privy.md#${headings[heading]}`
