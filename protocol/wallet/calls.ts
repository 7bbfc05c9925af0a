/**
 * Boundary 2: dialog and wallet frame. `parent` is the dialog, `child` the frame.
 *
 * Calls that need a key or a share are steps of an operation. `operation:begin` creates a key pair in the vault, which
 * is deleted with the operation. The vault states each step (`operation:state`). The server then creates a wallet token
 * (`accessToken`) for that key, operation, step, purpose and wallet. The server's answer to a step can be opened once.
 * Shares never cross this boundary, sealed or not.
 */
import { type Contract, getMethodRule } from '../channel/contract.ts'
import { channelLimits } from '../limits/limits.ts'
import { walletLimits } from '../limits/wallet.ts'

const call = { policy: 'dialog-only', deadlineMs: walletLimits.callMs, verification: 'never' } as const
/** Requires a second factor if the server demands it. */
const verifiedOnRetry = { ...call, verification: 'retry' } as const
/** Requires a second factor before the first try, if the user has one. */
const verifiedFirst = { ...call, verification: 'first' } as const

/** Wallet RPC methods. Others are `not_supported`. */
const rpcMethods = {
  personal_sign: verifiedOnRetry,
  eth_signTypedData_v4: verifiedOnRetry,
  eth_signTransaction: verifiedOnRetry,
  eth_signUserOperation: verifiedOnRetry,
  eth_signAuthorization: verifiedOnRetry,
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
    /** Offers a request that the confirmation page may have the vault approve. */
    'confirm:offer': call,
    'confirm:end': call,
    /** Resolves when the user has finished in the recovery window. */
    'recovery:ask': { policy: 'dialog-only', verification: 'never' },
    /** Resolves with the device statement when the user has confirmed the recovery method there. */
    'recovery:confirm': { policy: 'dialog-only', verification: 'never' },
    'recovery:end': call,
    /** Resolves when the export window is connected, with its own vault. */
    'export:begin': { policy: 'dialog-only', verification: 'never' },
    /** Resolves with the device statement when the user has approved the export there. */
    'export:confirm': { policy: 'dialog-only', verification: 'never' },
    /** Resolves when that window is closed. */
    'export:closed': { policy: 'dialog-only', verification: 'never' },
    'export:end': call,
    'wallet:create': { ...call, deadlineMs: walletLimits.createMs },
    /** Stores the wallet. The imported key itself stays in the import page. */
    'wallet:import': call,
    'wallet:connect': call,
    /** Automatic recovery requires a second factor before the first try; user-owned methods require it on retry. */
    'wallet:recover': verifiedFirst,
    'wallet:rpc': { ...verifiedOnRetry, maxBytes: channelLimits.maxSignRequestBytes, methods: rpcMethods },
    'solana-wallet:create': { ...verifiedOnRetry, deadlineMs: walletLimits.createMs },
    'solana-wallet:connect': call,
    'solana-wallet:recover': verifiedFirst,
    'solana-wallet:rpc': { ...verifiedOnRetry, maxBytes: channelLimits.maxSignRequestBytes },
    'mfa:verify': verifiedFirst,
    'mfa:init-enrollment': verifiedOnRetry,
    'mfa:submit-enrollment': verifiedOnRetry,
    'mfa:unenroll': verifiedFirst,
    'wallet:set-recovery': verifiedOnRetry,
    /** Connects to a wallet page in the dialog and returns the public key of its vault. */
    'page:begin': call,
    /** Waits for the user. */
    'page:key': { policy: 'dialog-only', verification: 'never' },
    'page:confirm': call,
    /** The released share goes to the export window, sealed to its vault. */
    'wallet:export': verifiedFirst,
    'farcaster:init-signer': verifiedOnRetry,
    'farcaster:sign': verifiedOnRetry,
    'mfa:clear': call,
    'account:delete': verifiedFirst,
  },
} as const satisfies Contract
