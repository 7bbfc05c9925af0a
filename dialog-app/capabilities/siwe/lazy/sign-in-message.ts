/**
 * Creates the Sign-In with Ethereum message (https://eips.ethereum.org/EIPS/eip-4361). Loaded after the user chose a
 * wallet. The `viem` implementation rejects domains with one-letter labels or a non-Latin top-level domain.
 */
import { siweLimits } from '@latchkey/protocol'
import { getAddress } from 'viem/utils'
import type { SolanaSignIn } from '../sources/connector.ts'

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

export const signInMessage = (login: SignIn): string =>
  writeMessage('Ethereum', getAddress(login.address), toFields(login, String(login.chainId)))

/** The cluster in the message. A login depends on no cluster. */
export const solanaChain = 'solana:mainnet'

/** Creates the same message for Solana, and its fields for `solana:signIn`. */
export function solanaSignIn(login: SignIn): SolanaSignIn {
  const fields = toFields(login, solanaChain)
  return { address: login.address, text: writeMessage('Solana', login.address, fields), fields }
}

const toFields = ({ origin, nonce, expiresAtSeconds }: SignIn, chainId: string) => ({
  domain: new URL(origin).host,
  statement,
  uri: origin,
  version: '1',
  chainId,
  nonce,
  issuedAt: new Date((expiresAtSeconds - siweLimits.nonceSeconds) * 1_000).toISOString(),
})

const writeMessage = (chain: string, address: string, fields: ReturnType<typeof toFields>) =>
  `${fields.domain} wants you to sign in with your ${chain} account:
${address}

${fields.statement}

URI: ${fields.uri}
Version: ${fields.version}
Chain ID: ${fields.chainId}
Nonce: ${fields.nonce}
Issued At: ${fields.issuedAt}`
