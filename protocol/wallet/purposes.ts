/** What a wallet token may be made for. */
import * as v from 'valibot'
import type { ShareRole } from './shares.ts'

type PurposeRule = {
  /** Whether a forked session may have a token for this. */
  readonly forks: boolean
  /** The shares that the server releases for it. */
  readonly releases: readonly ShareRole[]
  /** Whether its token names a wallet. */
  readonly wallet: 'named' | 'none'
  /** Whether the server wants a verification for it from a user who has a method. */
  readonly verified: boolean
  /** Whether its token names what is to be signed, which the server has read and confirmed. */
  readonly confirmed: boolean
}

/** A token is for one purpose; a route says which purposes it serves. */
export const walletPurposes = {
  create: { forks: false, releases: [], wallet: 'none', verified: false, confirmed: false },
  connect: { forks: true, releases: [], wallet: 'named', verified: false, confirmed: false },
  /** Where its user has a method, a fork is refused: it can not verify. */
  sign: { forks: true, releases: ['auth'], wallet: 'named', verified: true, confirmed: true },
  recover: {
    forks: false,
    releases: ['auth', 'recovery'],
    wallet: 'named',
    verified: true,
    confirmed: false,
  },
  /** A new generation of shares, of which the user keeps the one for recovery. */
  'set-recovery': { forks: false, releases: ['auth'], wallet: 'named', verified: true, confirmed: false },
  /** Its user is shown the key. */
  export: { forks: false, releases: ['auth'], wallet: 'named', verified: true, confirmed: false },
  /** The public key of the user's Farcaster signer, which Farcaster is then asked to let write. */
  'farcaster-signer': {
    forks: false,
    releases: ['auth'],
    wallet: 'named',
    verified: true,
    confirmed: false,
  },
  /** A message of Farcaster: its user confirmed on their phone, once, that this app may write. */
  'farcaster-sign': { forks: true, releases: ['auth'], wallet: 'named', verified: true, confirmed: false },
  /** To change the methods of verification. A user without a wallet has some too. */
  mfa: { forks: false, releases: [], wallet: 'none', verified: true, confirmed: false },
  'delete-account': { forks: false, releases: [], wallet: 'none', verified: true, confirmed: false },
} as const satisfies Readonly<Record<string, PurposeRule>>
export type WalletPurpose = keyof typeof walletPurposes

const names = Object.keys(walletPurposes) as [WalletPurpose, ...WalletPurpose[]]
export const verifiedPurposes = names.filter((name) => walletPurposes[name].verified)
export const walletPurposeSchema = v.picklist(names)
