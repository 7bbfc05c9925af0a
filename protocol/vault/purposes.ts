/** What a wallet token may be made for: who vouches for it, who approves it, what is released, and who is told. */
import * as v from 'valibot'
import type { ShareRole } from './shares.ts'

type PurposeRule = {
  /** Whose statement makes a token of it: the key of the vault that the session's device is, and of nobody else. */
  vouchedBy: 'device'
  /** The shares that the server releases for it. */
  releases: readonly ShareRole[]
  /** Whether its token names a wallet. */
  wallet: 'named' | 'none'
  /** Whether the server wants a verification for it from a user who has a method. */
  verified: boolean
  /**
   * Whether its token names what a person approved, which the server has read. `signature`: what is released opens for
   * that digest alone. `removal`: where it takes a method of verification away.
   */
  confirmed: 'signature' | 'action' | 'removal' | 'no'
  /** How the audit calls each release, by which its user finds it; null where nothing is released. */
  recordedAs: `wallet.${string}` | null
  /** Whether its user is told of each release by mail. */
  mailed: boolean
}

const vouched = { vouchedBy: 'device' } as const
/** Changes without a share. */
const unreleased = { ...vouched, releases: [], recordedAs: null, mailed: false } as const
const released = { ...vouched, recordedAs: 'wallet.share_released', mailed: false } as const

/** A token is for one purpose; a route says which purposes it serves. */
export const walletPurposes = {
  create: { ...unreleased, wallet: 'none', verified: false, confirmed: 'no' },
  /** Like `create`, with a key that the user brings and an address that they confirmed. */
  import: { ...unreleased, wallet: 'none', verified: false, confirmed: 'action' },
  connect: { ...unreleased, wallet: 'named', verified: false, confirmed: 'no' },
  sign: {
    ...released,
    releases: ['auth'],
    wallet: 'named',
    verified: true,
    confirmed: 'signature',
    recordedAs: 'wallet.signed',
  },
  recover: {
    ...released,
    releases: ['auth', 'recovery'],
    wallet: 'named',
    verified: true,
    confirmed: 'no',
    recordedAs: 'wallet.recovered',
    mailed: true,
  },
  /**
   * A new generation of shares, of which the user keeps the one for recovery. They are told by mail when it is theirs, and
   * not yet when the share for it is released.
   */
  'set-recovery': { ...released, releases: ['auth'], wallet: 'named', verified: true, confirmed: 'action' },
  /** Its user is shown the key. */
  export: {
    ...released,
    releases: ['auth'],
    wallet: 'named',
    verified: true,
    confirmed: 'action',
    recordedAs: 'wallet.key_exported',
    mailed: true,
  },
  /** The public key of the user's Farcaster signer, which Farcaster is then asked to let write. */
  'farcaster-signer': { ...released, releases: ['auth'], wallet: 'named', verified: true, confirmed: 'no' },
  /** A message of Farcaster: its user confirmed on their phone, once, that this app may write. */
  'farcaster-sign': { ...released, releases: ['auth'], wallet: 'named', verified: true, confirmed: 'no' },
  /** The purpose of a change to the methods of verification. A user without a wallet has some too. */
  mfa: { ...unreleased, wallet: 'none', verified: true, confirmed: 'removal' },
  'delete-account': { ...unreleased, wallet: 'none', verified: true, confirmed: 'action' },
} as const satisfies Readonly<Record<string, PurposeRule>>
export type WalletPurpose = keyof typeof walletPurposes

const names = Object.keys(walletPurposes) as [WalletPurpose, ...WalletPurpose[]]
export const verifiedPurposes = names.filter((name) => walletPurposes[name].verified)
export const walletPurposeSchema = v.picklist(names)
