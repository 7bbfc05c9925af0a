/** What a wallet token may be made for. */
import * as v from 'valibot'
import type { ShareRole } from './shares.ts'

type PurposeRule = {
  /** The shares that the server releases for it. */
  readonly releases: readonly ShareRole[]
  /** Whether its token names a wallet. */
  readonly wallet: 'named' | 'none'
  /** Whether the server wants a verification for it from a user who has a method. */
  readonly verified: boolean
  /**
   * Whether its token names what a person approved, which the server has read. `signature`: what is released opens for
   * that digest alone. `removal`: where it takes a method of verification away.
   */
  readonly confirmed: 'signature' | 'action' | 'removal' | 'no'
}

/** A token is for one purpose; a route says which purposes it serves. */
export const walletPurposes = {
  create: { releases: [], wallet: 'none', verified: false, confirmed: 'no' },
  /** As `create`, of a key that the user brings along. */
  import: { releases: [], wallet: 'none', verified: false, confirmed: 'no' },
  connect: { releases: [], wallet: 'named', verified: false, confirmed: 'no' },
  sign: { releases: ['auth'], wallet: 'named', verified: true, confirmed: 'signature' },
  recover: {
    releases: ['auth', 'recovery'],
    wallet: 'named',
    verified: true,
    confirmed: 'no',
  },
  /** A new generation of shares, of which the user keeps the one for recovery. */
  'set-recovery': { releases: ['auth'], wallet: 'named', verified: true, confirmed: 'no' },
  /** Its user is shown the key. */
  export: { releases: ['auth'], wallet: 'named', verified: true, confirmed: 'action' },
  /** The public key of the user's Farcaster signer, which Farcaster is then asked to let write. */
  'farcaster-signer': {
    releases: ['auth'],
    wallet: 'named',
    verified: true,
    confirmed: 'no',
  },
  /** A message of Farcaster: its user confirmed on their phone, once, that this app may write. */
  'farcaster-sign': { releases: ['auth'], wallet: 'named', verified: true, confirmed: 'no' },
  /** To change the methods of verification. A user without a wallet has some too. */
  mfa: { releases: [], wallet: 'none', verified: true, confirmed: 'removal' },
  'delete-account': {
    releases: [],
    wallet: 'none',
    verified: true,
    confirmed: 'action',
  },
} as const satisfies Readonly<Record<string, PurposeRule>>
export type WalletPurpose = keyof typeof walletPurposes

const names = Object.keys(walletPurposes) as [WalletPurpose, ...WalletPurpose[]]
export const verifiedPurposes = names.filter((name) => walletPurposes[name].verified)
export const walletPurposeSchema = v.picklist(names)
