/**
 * The text that a wallet signs (https://eips.ethereum.org/EIPS/eip-4361), which comes when a wallet was chosen. That of
 * viem refuses domains with a part of one letter, and those whose last part is not in Latin letters alone.
 */
import { siweLimits } from '@latchkey/protocol'
import { getAddress } from 'viem/utils'

export { getAddress }

export type SignIn = {
  /** The origin of the page that asks the wallet. */
  origin: string
  address: string
  chainId: number
  nonce: string
  /** The server says when the nonce expires: this machine's own clock may be wrong. */
  expiresAtSeconds: number
}

/** The standard takes ASCII alone, so it is said in English. */
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
