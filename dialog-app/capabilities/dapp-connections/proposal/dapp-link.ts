/**
 * The link that a user pastes to connect a dapp: a WalletConnect pairing URI, alone or inside the URL of a wallet.
 * https://specs.walletconnect.com/2.0/specs/clients/core/pairing/pairing-uri
 */
import { dappLimits } from '../limits.ts'

export type LinkProblem = 'not-a-link' | 'old-version' | 'expired'
export type Link = { is: 'link'; uri: string; topic: string }
type ReadLink = Link | { is: 'problem'; problem: LinkProblem }

const pairing = /^wc:(?:\/\/)?([0-9a-f]{64})@2\?(.+)$/i
const oldPairing = /^wc:(?:\/\/)?[^@]+@1(?:$|\?)/i

export function readLink(pasted: string, nowMs: number): ReadLink {
  const text = pasted.trim()
  if (text.length > dappLimits.maxLinkLength) return problem('not-a-link')
  const written = withinPage(text) ?? text
  if (oldPairing.test(written)) return problem('old-version')
  const [, topic, query] = pairing.exec(written) ?? []
  if (topic === undefined || query === undefined) return problem('not-a-link')
  const parameters = new URLSearchParams(query)
  const isWhole =
    /^[0-9a-f]{64}$/i.test(parameters.get('symKey') ?? '') && (parameters.get('relay-protocol') ?? '') !== ''
  if (!isWhole) return problem('not-a-link')
  const expiresAtSeconds = Number(parameters.get('expiryTimestamp') ?? Number.POSITIVE_INFINITY)
  if (expiresAtSeconds * 1_000 <= nowMs) return problem('expired')
  return { is: 'link', uri: `wc:${topic}@2?${query}`, topic }
}

/** Returns the `uri` parameter of a link to a wallet page or wallet app. */
const withinPage = (text: string): string | undefined =>
  text.startsWith('wc:') ? undefined : (URL.parse(text)?.searchParams.get('uri') ?? undefined)

const problem = (of: LinkProblem): ReadLink => ({ is: 'problem', problem: of })
