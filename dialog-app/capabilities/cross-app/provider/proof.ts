/** Creates a DPoP proof (RFC 9449) with the key in this browser that the provider's tokens are bound to. */
import { hashText, signProof } from '../../../api/proof.ts'
import { browserRandom } from '../../../browser/browser-ports.ts'

type Proven = {
  url: string
  /** The server time, or the browser time if no offset is known. */
  nowMs: number
  /** The access token of the request. Requests to a token endpoint have none. */
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
