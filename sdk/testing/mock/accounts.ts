/** Deterministic accounts of mock users: one of each type, derived from the user's id. */

import type { LinkedAccount, WalletAccount } from '@latchkey/loader'
import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import { privateKeyToAccount } from 'viem/accounts'
import { idFrom, keyFrom, toHex } from './keys.ts'

type Times = Pick<LinkedAccount, 'verifiedAt' | 'firstVerifiedAt' | 'latestVerifiedAt'>
export const timesAt = (seconds: number): Times => ({
  verifiedAt: seconds,
  firstVerifiedAt: seconds,
  latestVerifiedAt: seconds,
})

export type Hex = `0x${string}`

/** Derives an Ethereum key from the name of its owner: a user, or a wallet of another app or of the page. */
export const ethereumKey = (owner: string): Hex => toHex(keyFrom(`Ethereum wallet of ${owner}`))
export const ethereumAddress = (key: Hex): Hex => privateKeyToAccount(key).address
export const solanaKey = (owner: string): Uint8Array => keyFrom(`Solana wallet of ${owner}`)
export const solanaAddress = (key: Uint8Array): string => base58.encode(ed25519.getPublicKey(key))

export const embeddedAccount = (
  chainType: WalletAccount['chainType'],
  address: string,
  seconds: number,
): WalletAccount => ({
  type: 'wallet',
  address,
  chainType,
  walletClient: 'latchkey',
  walletClientType: 'latchkey',
  connectorType: 'embedded',
  imported: false,
  walletIndex: 0,
  recoveryMethod: 'latchkey',
  ...timesAt(seconds),
})

/** Creates the account that a user links with a login method. */
export function linkedAccount(method: string, owner: string, seconds: number): LinkedAccount {
  const times = timesAt(seconds)
  const id = idFrom(`${method} of ${owner}`)
  switch (method) {
    case 'email':
      return { type: 'email', address: `${id.slice(0, 8)}@example.com`, ...times }
    case 'sms':
      return {
        type: 'phone',
        phoneNumber: `+1555${String(Number.parseInt(id.slice(0, 6), 16))
          .padStart(8, '0')
          .slice(-7)}`,
        ...times,
      }
    case 'wallet':
      return {
        type: 'wallet',
        address: ethereumAddress(ethereumKey(`outside of ${owner}`)),
        chainType: 'ethereum',
        chainId: 'eip155:1',
        walletClientType: 'metamask',
        connectorType: 'injected',
        ...times,
      }
    case 'passkey':
      return { type: 'passkey', credentialId: id, enrolledInMfa: false, ...times }
    case 'farcaster':
      return {
        type: 'farcaster',
        fid: Number.parseInt(id.slice(0, 5), 16) + 1,
        ownerAddress: ethereumAddress(ethereumKey(`Farcaster of ${owner}`)),
        username: id.slice(0, 8),
        ...times,
      }
    case 'telegram':
      return { type: 'telegram', telegramUserId: id, username: id.slice(0, 8), ...times }
    default:
      if (method.startsWith('oidc:')) {
        return { type: 'oidc', issuer: toIssuer(method), subject: id, ...times }
      }
      // The other methods are OAuth providers, whose accounts have a subject.
      return { type: `${method}_oauth`, subject: id, ...times } as LinkedAccount
  }
}

/** Returns the login method of an account. */
export function getLoginMethod(account: LinkedAccount): string {
  const { type } = account
  if (type === 'phone') return 'sms'
  if (type === 'oidc') return `oidc:${new URL(account.issuer).hostname.split('.')[0]}`
  return type.endsWith('_oauth') ? type.slice(0, -'_oauth'.length) : type
}

/** The issuer of a mock OpenID provider, with its id as the first label. */
const toIssuer = (method: string) => `https://${method.slice('oidc:'.length)}.example`

export function crossAppAccount(providerAppId: string, owner: string, seconds: number): LinkedAccount {
  return {
    type: 'cross_app',
    subject: idFrom(`${providerAppId} of ${owner}`),
    providerApp: { id: providerAppId },
    embeddedWallets: [{ address: ethereumAddress(ethereumKey(`${providerAppId} of ${owner}`)) }],
    smartWallets: [],
    ...timesAt(seconds),
  }
}
