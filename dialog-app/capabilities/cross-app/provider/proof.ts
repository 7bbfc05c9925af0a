/** A proof for a provider (RFC 9449), by the key of this browser that its tokens are bound to. */
import { hashText, signProof } from '../../../api/proof.ts'
import { browserRandom } from '../../../browser/browser-ports.ts'

type Proven = {
  url: string
  /** By the server's clock, as far as it is known. */
  nowMs: number
  /** What the request presents; a token endpoint is presented none. */
  accessToken?: string
}

export async function proofOf(keys: CryptoKeyPair, { url, nowMs, accessToken }: Proven): Promise<string> {
  const { origin, pathname } = new URL(url)
  return signProof(keys, {
    jti: browserRandom.id(),
    htm: 'POST',
    htu: origin + pathname,
    iat: Math.floor(nowMs / 1_000),
    ...(accessToken !== undefined && { ath: await hashText(accessToken) }),
  })
}
