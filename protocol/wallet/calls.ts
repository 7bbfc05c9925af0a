/**
 * Boundary 2: dialog and wallet frame. `parent` is the dialog, `child` the frame.
 *
 * What needs a key or a share is a step of an operation. `operation:begin` makes a key pair in the vault, which
 * dies with the operation; each step is stated by the vault (`operation:state`) and then brings a wallet token of its
 * own (`accessToken`), made by the server for that key, that operation and step, what the step is for, and one wallet. What the server answers to a step
 * opens once. Shares cross this boundary never, sealed or not.
 */
import { type Contract, getMethodRule } from '../channel/contract.ts'
import { channelLimits } from '../limits/limits.ts'
import { walletLimits } from '../limits/wallet.ts'

const call = { policy: 'dialog-only', deadlineMs: walletLimits.callMs, verification: 'never' } as const
/** A second factor is asked for when the server says that it wants one. */
const verifiedOnRetry = { ...call, verification: 'retry' } as const
/** Asked for before the first try, where the user has one. */
const verifiedFirst = { ...call, verification: 'first' } as const

/** Requests as wallets know them, passed in bare. What is not in this table answers `not_supported`. */
const rpcMethods = {
  personal_sign: verifiedOnRetry,
  eth_signTypedData_v4: verifiedOnRetry,
  eth_signTransaction: verifiedOnRetry,
} as const

export const walletContract = {
  name: 'wallet',
  resolveRule: getMethodRule,
  parent: { 'iframe:ready': call },
  child: {
    'iframe:ready': call,
    'operation:begin': call,
    'operation:end': call,
    'operation:state': call,
    'device:file': call,
    /** A request that the page of confirmations may ask the vault to approve, when its user says so there. */
    'confirm:offer': call,
    'confirm:end': call,
    /** The window in which a user gives what keeps their wallet: answered when they have given it. */
    'recovery:ask': { policy: 'dialog-only', verification: 'never' },
    /** Answered with the statement of the device, when the user has said there that this is to keep their wallet. */
    'recovery:confirm': { policy: 'dialog-only', verification: 'never' },
    'recovery:end': call,
    /** The window in which a user sees their key: answered when it is there, with a vault of its own. */
    'export:begin': { policy: 'dialog-only', verification: 'never' },
    /** Answered with the statement of the device, when the user has pressed there to see the key. */
    'export:confirm': { policy: 'dialog-only', verification: 'never' },
    /** Answered when that window is closed. */
    'export:closed': { policy: 'dialog-only', verification: 'never' },
    'export:end': call,
    'wallet:create': { ...call, deadlineMs: walletLimits.createMs },
    /** The key itself went to that page, and stays there: this has its wallet kept. */
    'wallet:import': call,
    'wallet:connect': call,
    /** Automatic recovery is verified before the first try; a method for which its user keeps something, on retry. */
    'wallet:recover': verifiedFirst,
    'wallet:rpc': { ...verifiedOnRetry, maxBytes: channelLimits.maxSignRequestBytes, methods: rpcMethods },
    'solana-wallet:create': { ...call, deadlineMs: walletLimits.createMs },
    'solana-wallet:connect': call,
    'solana-wallet:recover': verifiedFirst,
    'solana-wallet:rpc': { ...verifiedOnRetry, maxBytes: channelLimits.maxSignRequestBytes },
    'mfa:verify': verifiedFirst,
    'mfa:init-enrollment': verifiedOnRetry,
    'mfa:submit-enrollment': verifiedOnRetry,
    'mfa:unenroll': verifiedFirst,
    'wallet:set-recovery': verifiedOnRetry,
    /** A page of the wallet's origin that the dialog shows: it says the key of a vault of its own. */
    'page:begin': call,
    /** Waits for a person. */
    'page:key': { policy: 'dialog-only', verification: 'never' },
    'page:confirm': call,
    /** What is released for the step goes to the window in which its user approved that, sealed to its vault. */
    'wallet:export': verifiedFirst,
    'farcaster:init-signer': verifiedOnRetry,
    'farcaster:sign': verifiedOnRetry,
    'mfa:clear': call,
    'account:delete': verifiedFirst,
  },
} as const satisfies Contract
