/** The guide that the codemod carries out, `docs/coming-from-privy.md`, by its headings. */
const headings = {
  provider: 'the-provider',
  user: 'who-is-logged-in',
  wallets: 'wallets',
  backend: 'your-backend',
  impossible: 'what-cannot-be',
} as const
export type Heading = keyof typeof headings

export const linkTo = (heading: Heading): string => `docs/coming-from-privy.md#${headings[heading]}`
