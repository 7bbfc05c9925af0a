/**
 * A message that logs somebody in at a site (EIP-4361): whoever gets it signed is logged in there as the user. So a
 * page may ask for one of its own alone. https://eips.ethereum.org/EIPS/eip-4361
 */

/** Anything that a reader of such messages may take for one: on any line, in any case and after any space. */
const firstLine =
  /^\s*(?:[a-z][a-z0-9+.-]*:\/\/)?(.*?)\s*wants\s+you\s+to\s+sign\s+in\s+with\s+your\s+(?:ethereum|solana)\s+account/gimu

/** The hosts, each with its port, that the message is for; none for a message that logs nobody in. */
export const signInDomainsOf = (message: string): readonly string[] =>
  [...message.matchAll(firstLine)].map(([, domain = '']) => domain)

/** `origin` is what the browser says of who asks. */
export function isSignInFor(domain: string, origin: string): boolean {
  return domain === new URL(origin).host
}
