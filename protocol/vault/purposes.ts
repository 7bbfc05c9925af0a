/** The purposes of wallet tokens, with their rules for statements, approval, released shares and notifications. */
import * as v from 'valibot'
import type { ShareRole } from './shares.ts'

type PurposeRule = {
  /** Names the signer of the statement that creates the token: the session's device key in the vault. */
  vouchedBy: 'device'
  /** The shares that the server releases for it. */
  releases: readonly ShareRole[]
  /** Whether its token names a wallet. */
  wallet: 'named' | 'none'
  /** Whether a user with a second factor must verify. */
  verified: boolean
  /**
   * Whether the token names an approved digest. `signature`: the released share only opens for that digest. `action`:
   * an account action. `removal`: only if it removes a second factor.
   */
  confirmed: 'signature' | 'action' | 'removal' | 'no'
  /** The audit event of each release, shown to the user. Null if nothing is released. */
  recordedAs: `wallet.${string}` | null
  /** Whether the user is notified of each release by mail. */
  mailed: boolean
}

const fromDevice = { vouchedBy: 'device' } as const
/** Purposes that release no share. */
const withoutRelease = { ...fromDevice, releases: [], recordedAs: null, mailed: false } as const
const withRelease = { ...fromDevice, recordedAs: 'wallet.share_released', mailed: false } as const

/** All purposes. A token has one; each route lists the purposes it accepts. */
export const walletPurposes = {
  create: { ...withoutRelease, wallet: 'none', verified: false, confirmed: 'no' },
  /** Like `create`, with an imported key. The user confirmed its address. */
  import: { ...withoutRelease, wallet: 'none', verified: false, confirmed: 'action' },
  connect: { ...withoutRelease, wallet: 'named', verified: false, confirmed: 'no' },
  sign: {
    ...withRelease,
    releases: ['auth'],
    wallet: 'named',
    verified: true,
    confirmed: 'signature',
    recordedAs: 'wallet.signed',
  },
  /** Changes the contract that an Ethereum wallet runs (EIP-7702), to none or to the account contract. */
  'set-delegate': {
    ...withRelease,
    releases: ['auth'],
    wallet: 'named',
    verified: true,
    confirmed: 'signature',
    recordedAs: 'wallet.signed',
  },
  recover: {
    ...withRelease,
    releases: ['auth', 'recovery'],
    wallet: 'named',
    verified: true,
    confirmed: 'no',
    recordedAs: 'wallet.recovered',
    mailed: true,
  },
  /**
   * Creates a new generation of shares with a user-owned recovery share. The user is notified when the reshare is
   * committed, not when the share is released.
   */
  'set-recovery': {
    ...withRelease,
    releases: ['auth'],
    wallet: 'named',
    verified: true,
    confirmed: 'action',
  },
  /** Shows the private key to the user. */
  export: {
    ...withRelease,
    releases: ['auth'],
    wallet: 'named',
    verified: true,
    confirmed: 'action',
    recordedAs: 'wallet.key_exported',
    mailed: true,
  },
  /** Derives the Solana address of an Ethereum wallet, and proves it. */
  'solana-address': {
    ...withRelease,
    releases: ['auth'],
    wallet: 'named',
    verified: true,
    confirmed: 'no',
  },
  /** Derives the public key of the Farcaster signer, which Farcaster is then asked to approve. */
  'farcaster-signer': {
    ...withRelease,
    releases: ['auth'],
    wallet: 'named',
    verified: true,
    confirmed: 'no',
  },
  /** Signs a Farcaster message. The user approved the signer once, on their phone. */
  'farcaster-sign': { ...withRelease, releases: ['auth'], wallet: 'named', verified: true, confirmed: 'no' },
  /** Changes second factors. Users without a wallet have them too. */
  mfa: { ...withoutRelease, wallet: 'none', verified: true, confirmed: 'removal' },
  'delete-account': { ...withoutRelease, wallet: 'none', verified: true, confirmed: 'action' },
} as const satisfies Readonly<Record<string, PurposeRule>>
export type WalletPurpose = keyof typeof walletPurposes

const names = Object.keys(walletPurposes) as [WalletPurpose, ...WalletPurpose[]]
export const verifiedPurposes = names.filter((name) => walletPurposes[name].verified)
export const walletPurposeSchema = v.picklist(names)
