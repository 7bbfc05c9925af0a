/**
 * Creates the Sign-In with Ethereum message (https://eips.ethereum.org/EIPS/eip-4361). Loaded after the user chose a
 * wallet. The `viem` implementation rejects domains with one-letter labels or a non-Latin top-level domain.
 */
import { siweLimits } from '@latchkey/protocol'
import { getAddress } from 'viem/utils'

export { getAddress }

export type SignIn = {
  /** The origin of the page that requests the signature. */
  origin: string
  address: string
  chainId: number
  nonce: string
  /** The server's expiry of the nonce. The device clock may be wrong. */
  expiresAtSeconds: number
}

/** In English, because EIP-4361 allows only ASCII here. */
const statement = 'Sign to prove that this wallet is yours. It costs nothing and moves nothing.'

export function signInMessage({ origin, address, chainId, nonce, expiresAtSeconds }: SignIn): string {
  const issuedAt = new Date((expiresAtSeconds - siweLimits.nonceSeconds) * 1_000)
  return `${new URL(origin).host} wants you to sign in with your Ethereum account:
${getAddress(address)}

${statement}

URI: ${origin}
Version: 1
Chain ID: ${chainId}
Nonce: ${nonce}
Issued At: ${issuedAt.toISOString()}`
}
