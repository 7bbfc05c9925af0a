import * as v from 'valibot'
import { exportProblemSchema } from '../capabilities/export/wallet.ts'
import { farcasterHash } from '../capabilities/farcaster-signer/wallet.ts'
import { mfaLimits } from '../capabilities/mfa/limits.ts'
import {
  passkeyToAskSchema,
  recoveryProblemSchema,
  recoveryWindowPurposes,
} from '../capabilities/recovery/window.ts'
import { walletRpcRequestSchema } from '../capabilities/sign/wallet.ts'
import type { ReceivedMessages } from '../channel/contract.ts'
import { phoneNumber } from '../entities/phone-number.ts'
import { base64url, id, text, verificationCode } from '../entities/primitives.ts'
import { mfaMethodTypes } from '../entities/user.ts'
import { evmAddress } from '../entities/wallets/chain-primitives.ts'
import { recoveryMethods } from '../entities/wallets/wallet-account.ts'
import { solanaAddress } from '../entities/wallets/wallet-address.ts'
import { confirmationHandle, signedDigest } from '../vault/confirmed.ts'
import { statementInputSchema } from '../vault/device.ts'
import { operationStepSchema } from '../vault/operations.ts'
import { userRecoveries } from '../vault/recovery.ts'
import { sealedShareSchema } from '../vault/shares.ts'
import { openedPageHandle } from '../windows/open-window.ts'
import { walletPages } from './pages.ts'

const empty = v.object({})
const option = v.exactOptional

/** One step of an operation: its number, and the token that the server made for it. */
const step = { accessToken: text, operation: operationStepSchema }

/** What a second factor adds to a call that asks for one. */
const mfa = {
  mfaMethod: option(v.picklist(mfaMethodTypes)),
  mfaCode: option(v.union([text, v.record(v.string(), v.unknown())])),
  relyingParty: option(text),
}

/** A step that says no more. */
const verifying = v.object({ ...step, ...mfa })

/** A method has what an enrolment of it begins with, and what it ends with. */
const totp = { method: v.literal('totp') }
const sms = { method: v.literal('sms'), phoneNumber }
const passkey = {
  method: v.literal('passkey'),
  credentialIds: v.pipe(v.array(base64url), v.maxLength(mfaLimits.maxPasskeys)),
}
const code = { code: verificationCode }

const recovery = {
  recoveryMethod: option(v.picklist(recoveryMethods)),
  /** The window in which the user gave what they keep. */
  recoveryWindow: option(openedPageHandle),
  recoveryPin: option(text),
}

/** A step about a wallet, that says no more. */
const ofWallet = v.object({ ...step, address: evmAddress, ...mfa })
const named = v.object({ ...step, publicKey: solanaAddress })

export const frameMessages = {
  calls: {
    'iframe:ready': empty,
    'operation:begin': empty,
    'operation:end': v.object({ operationId: id }),
    /** Of the key of the operation; with a window, of that of the vault there. */
    'operation:state': v.object({
      ...statementInputSchema.entries,
      userId: v.nullable(id),
      window: option(openedPageHandle),
    }),
    'device:file': v.object({ operationId: id, userId: id }),
    /** `window`: that the host's page has opened for this request, by the name that it gave it. */
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
      /** Null where the wallet is still to be made. */
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
    /** With a problem the page says what did not work, and that it is begun anew in the app. */
    'recovery:end': v.object({ window: openedPageHandle, problem: option(recoveryProblemSchema) }),
    'export:begin': v.object({ window: openedPageHandle, address: evmAddress }),
    'export:confirm': v.object({
      window: openedPageHandle,
      userId: id,
      handle: confirmationHandle,
      digest: signedDigest,
    }),
    'export:closed': v.object({ window: openedPageHandle }),
    /** With a problem the window says what did not work, and that it is begun anew in the app. */
    'export:end': v.object({ window: openedPageHandle, problem: option(exportProblemSchema) }),
    'wallet:create': v.object({ ...step, ...recovery }),
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
      /** A dapp asked for it through a relay: whether its user approved that, the server says. */
      relayed: option(v.boolean()),
      requesterAppId: option(id),
      ...mfa,
    }),
    'solana-wallet:create': v.object(step),
    'solana-wallet:connect': named,
    'solana-wallet:recover': v.object({ ...named.entries, ...mfa }),
    'solana-wallet:rpc': v.object({
      ...named.entries,
      request: v.object({ method: text, params: v.object({ message: v.unknown() }) }),
      ...mfa,
    }),
    'mfa:verify': verifying,
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
    /** Sealed by the dialog to the key that `page:begin` told. Without one the user types it there. */
    'page:key': v.object({ privateKey: option(sealedShareSchema) }),
    'page:confirm': v.object({ userId: id, handle: confirmationHandle, digest: signedDigest }),
    'wallet:export': v.object({ ...ofWallet.entries, window: openedPageHandle }),
    'farcaster:init-signer': v.object({
      ...ofWallet.entries,
      /** A wallet has one account. Another number would get the signer of this one. */
      hdWalletIndex: option(v.nullable(v.literal(0))),
    }),
    'farcaster:sign': v.object({
      ...ofWallet.entries,
      payload: v.object({ hash: farcasterHash }),
      fid: v.bigint(),
    }),
    'mfa:clear': v.object({ userId: id }),
    'account:delete': verifying,
  },
  answers: { 'iframe:ready': empty },
} as const satisfies ReceivedMessages
export type FrameMessages = typeof frameMessages
