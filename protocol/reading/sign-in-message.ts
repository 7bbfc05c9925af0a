/**
 * Messages that log their signer in at a site (EIP-4361). A page may request one for its own site alone: the signature
 * logs its holder in as the user. https://eips.ethereum.org/EIPS/eip-4361
 */
import { encodeMessage } from '../capabilities/sign/message-bytes.ts'
import { isOriginListed } from '../origins/origins.ts'

/**
 * The words behind the domain, in any case and with any white space, as lenient parsers accept them. A search is linear:
 * the first word occurs once in the phrase, so no two attempts read the same text.
 */
const phrase = /wants\s+you\s+to\s+sign\s+in\s+with\s+your\s+(?:ethereum|solana)\s+account/giu
const lineEnd = /[\n\r\u2028\u2029]/
const scheme = /^[a-z][a-z0-9+.-]*:\/\//iu
/** Characters that lenient decoders and parsers drop: replaced bytes, lone surrogates, controls and ignorables. */
const dropped = /[^\P{C}\s]|[\p{Default_Ignorable_Code_Point}\uFFFD]/gu

/**
 * Returns the hosts, each with its port, that the message logs in at. Other messages have none. Bytes that are no text
 * are read leniently: a site may do the same.
 */
export function findSignInDomains(message: string | Uint8Array): readonly string[] {
  const text = typeof message === 'string' ? message : new TextDecoder().decode(message)
  return [...new Set([...findDomains(text), ...findDomains(text.replace(dropped, ''))])]
}

/** Returns the same for the message of `personal_sign`, which may be hex. */
export const findPersonalSignInDomains = (message: string): readonly string[] =>
  findSignInDomains(encodeMessage(message) ?? message)

function findDomains(message: string): readonly string[] {
  let from = 0
  return [...message.matchAll(phrase)].map(({ 0: { length }, index }) => {
    const line = message.slice(from, index).trimEnd().split(lineEnd).at(-1) ?? ''
    from = index + length
    return line.trimStart().replace(scheme, '')
  })
}

/** Returns whether the domain is the site of one of these origins, which may be wildcards. */
export const isSignInFor = (domain: string, origins: readonly string[]): boolean =>
  ['https', 'http'].some((scheme) => isOriginListed(`${scheme}://${domain}`, origins))
