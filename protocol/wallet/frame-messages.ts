import * as v from 'valibot'
import { exportProblemSchema } from '../capabilities/export/wallet.ts'
import { farcasterHash } from '../capabilities/farcaster-signer/wallet.ts'
import { mfaLimits } from '../capabilities/mfa/limits.ts'
import {
  passkeyToAskSchema,
  recoveryProblemSchema,
  recoveryWindowPurposes,
} from '../capabilities/recovery/window.ts'
import { solanaSignInFields } from '../capabilities/sign/solana-sign-in.ts'
import { walletRpcRequestSchema } from '../capabilities/sign/wallet.ts'
import type { ReceivedMessages } from '../channel/contract.ts'
import { mfaMethodTypes } from '../entities/mfa-methods.ts'
import { phoneNumber } from '../entities/phone-number.ts'
import { base64url, id, text, verificationCode } from '../entities/primitives.ts'
import { evmAddress } from '../entities/wallets/chain-primitives.ts'
import { recoveryMethods } from '../entities/wallets/wallet-account.ts'
import { solanaAddress, solanaTransaction } from '../entities/wallets/wallet-address.ts'
import { confirmationHandle, signedDigest } from '../vault/confirmed.ts'
import { statementInputSchema } from '../vault/device.ts'
import { operationStepSchema } from '../vault/operations.ts'
import { pendingWalletSchema } from '../vault/pending-wallet.ts'
import { userRecoveries } from '../vault/recovery.ts'
import { sealedShareSchema } from '../vault/shares.ts'
import { openedPageHandle } from '../windows/open-window.ts'
import { walletPages } from './pages.ts'

const empty = v.object({})
const option = v.exactOptional

/** An operation step and its wallet token. */
const step = { accessToken: text, operation: operationStepSchema }

/** Fields of a second factor. */
const mfa = {
  mfaMethod: option(v.picklist(mfaMethodTypes)),
  mfaCode: option(v.union([text, v.record(v.string(), v.unknown())])),
  relyingParty: option(text),
}

/** A step without further data. */
const verifiedStep = v.object({ ...step, ...mfa })

/** The enrollment data of each method. */
const totp = { method: v.literal('totp') }
const sms = { method: v.literal('sms'), phoneNumber }
const passkey = {
  method: v.literal('passkey'),
  credentialIds: v.pipe(v.array(base64url), v.maxLength(mfaLimits.maxPasskeys)),
}
const code = { code: verificationCode }

const recovery = {
  recoveryMethod: option(v.picklist(recoveryMethods)),
  /** The recovery window that the user entered their secret in. */
  recoveryWindow: option(openedPageHandle),
  recoveryPin: option(text),
}

/** A step for a wallet, without further data. */
const walletStep = v.object({ ...step, address: evmAddress, ...mfa })
const solanaWalletStep = v.object({ ...step, publicKey: solanaAddress })

export const frameMessages = {
  calls: {
    'iframe:ready': empty,
    'operation:begin': empty,
    'operation:end': v.object({ operationId: id }),
    /** States the operation's key, or the key of the window's vault if there is a window. */
    'operation:state': v.object({
      ...statementInputSchema.entries,
      userId: v.nullable(id),
      window: option(openedPageHandle),
    }),
    'device:file': v.object({ operationId: id, userId: id }),
    /** `window`: the handle of the window that the host page opened for this request. */
    'confirm:offer': v.object({
      userId: id,
      handle: confirmationHandle,
      digest: signedDigest,
      window: v.exactOptional(openedPageHandle),
    }),
    'confirm:end': v.object({ handle: confirmationHandle }),
    'recovery:ask': v.object({
      window: openedPageHandle,
      method: v.picklist(userRecoveries),
      purpose: v.picklist(recoveryWindowPurposes),
      /** Null if the wallet does not exist yet. */
      address: v.nullable(evmAddress),
      passkey: option(passkeyToAskSchema),
      problem: option(recoveryProblemSchema),
    }),
    'recovery:confirm': v.object({
      window: openedPageHandle,
      userId: id,
      handle: confirmationHandle,
      digest: signedDigest,
    }),
    /** With a problem, the page shows it and asks the user to restart in the app. */
    'recovery:end': v.object({ window: openedPageHandle, problem: option(recoveryProblemSchema) }),
    'export:begin': v.object({ window: openedPageHandle, address: evmAddress }),
    'export:confirm': v.object({
      window: openedPageHandle,
      userId: id,
      handle: confirmationHandle,
      digest: signedDigest,
    }),
    'export:closed': v.object({ window: openedPageHandle }),
    /** With a problem, the window shows it and asks the user to restart in the app. */
    'export:end': v.object({ window: openedPageHandle, problem: option(exportProblemSchema) }),
    'wallet:create': v.object({
      ...step,
      /** The slot from the login's answer. Without it, the frame reserves one. */
      place: option(pendingWalletSchema),
      ...recovery,
    }),
    'wallet:import': v.object({ ...step, address: evmAddress, ...recovery }),
    'wallet:connect': v.object({ ...step, address: evmAddress }),
    'wallet:recover': v.object({
      ...step,
      address: evmAddress,
      imported: option(v.boolean()),
      ...recovery,
      ...mfa,
    }),
    'wallet:set-recovery': v.object({ ...step, address: evmAddress, ...recovery, ...mfa }),
    'wallet:rpc': v.object({
      ...step,
      address: evmAddress,
      request: walletRpcRequestSchema,
      /** The request came from a dapp through a relay. The server decides whether the user approved it. */
      relayed: option(v.boolean()),
      requesterAppId: option(id),
      ...mfa,
    }),
    'solana-wallet:create': v.object({
      ...step,
      /** The Ethereum wallet that derives the address. Without one, the vault creates a separate secret. */
      ethereumAddress: option(evmAddress),
      ...mfa,
    }),
    'solana-wallet:connect': solanaWalletStep,
    'solana-wallet:recover': v.object({ ...solanaWalletStep.entries, ...mfa }),
    'solana-wallet:rpc': v.object({
      ...solanaWalletStep.entries,
      request: v.object({
        method: text,
        params: v.object({
          message: option(v.unknown()),
          transaction: option(solanaTransaction),
          signIn: option(solanaSignInFields),
        }),
      }),
      ...mfa,
    }),
    'mfa:verify': verifiedStep,
    'mfa:init-enrollment': v.variant('method', [
      v.object({ ...step, ...totp, ...mfa }),
      v.object({ ...step, ...sms, ...mfa }),
    ]),
    'mfa:submit-enrollment': v.variant('method', [
      v.object({ ...step, ...totp, ...code, ...mfa }),
      v.object({ ...step, ...sms, ...code, ...mfa }),
      v.object({ ...step, ...passkey, ...mfa }),
    ]),
    'mfa:unenroll': v.object({ ...step, method: v.picklist(['totp', 'sms']), ...mfa }),
    'page:begin': v.object({ page: v.picklist(walletPages) }),
    /** A key from the host, sealed to the key that `page:begin` returned. If omitted, the user types the key. */
    'page:key': v.object({ privateKey: option(sealedShareSchema) }),
    'page:confirm': v.object({ userId: id, handle: confirmationHandle, digest: signedDigest }),
    'wallet:export': v.object({ ...walletStep.entries, window: openedPageHandle }),
    'farcaster:init-signer': v.object({
      ...walletStep.entries,
      /** A wallet has one account, so other indexes are rejected. */
      hdWalletIndex: option(v.nullable(v.literal(0))),
    }),
    'farcaster:sign': v.object({
      ...walletStep.entries,
      payload: v.object({ hash: farcasterHash }),
      fid: v.bigint(),
    }),
    'mfa:clear': v.object({ userId: id }),
    'account:delete': verifiedStep,
  },
  answers: { 'iframe:ready': empty },
} as const satisfies ReceivedMessages
export type FrameMessages = typeof frameMessages
