import * as v from 'valibot'
import {
  farcasterHash,
  farcasterSignature,
  signerPublicKey,
  signerStatuses,
} from '../capabilities/farcaster-signer/wallet.ts'
import { newPasskeySchema } from '../capabilities/recovery/window.ts'
import type { ReceivedMessages } from '../channel/contract.ts'
import { fid, id, text } from '../entities/primitives.ts'
import { userRecordSchema } from '../entities/user.ts'
import { evmAddress } from '../entities/wallets/chain-primitives.ts'
import { solanaAddress, solanaSignature, solanaTransaction } from '../entities/wallets/wallet-address.ts'
import { channelLimits } from '../limits/limits.ts'
import { sealingKey } from '../vault/operations.ts'

const empty = v.object({})
/** The user with their current methods. */
const userAnswer = v.object({ user: userRecordSchema })
/** A signature, or a signed transaction. */
const signedData = v.pipe(v.string(), v.maxLength(channelLimits.maxSignRequestBytes))
const evmWallet = v.object({ address: evmAddress })
const solanaWallet = v.object({ publicKey: solanaAddress })
const createdWallet = {
  /** False if another device created the wallet in the meantime. It must be recovered. */
  onDevice: v.boolean(),
  /** The user with the new wallet, or null if the wallet already existed. */
  user: v.nullable(userRecordSchema),
}

/** The messages that the dialog accepts from its wallet frame. */
export const walletParentMessages = {
  calls: { 'iframe:ready': empty },
  answers: {
    'iframe:ready': empty,
    'operation:begin': v.object({ operationId: id, publicKey: sealingKey }),
    'operation:end': empty,
    'operation:state': v.object({ statement: text }),
    'device:file': empty,
    'confirm:offer': empty,
    'confirm:end': empty,
    'recovery:ask': v.object({ newPasskey: v.exactOptional(newPasskeySchema) }),
    'recovery:confirm': v.object({ statement: text }),
    'recovery:end': empty,
    'export:begin': v.object({ publicKey: sealingKey }),
    'export:confirm': v.object({ statement: text }),
    'export:closed': empty,
    'export:end': empty,
    'wallet:create': v.object({ address: evmAddress, ...createdWallet }),
    'wallet:import': v.object({ address: evmAddress, ...createdWallet }),
    'wallet:connect': evmWallet,
    'wallet:recover': evmWallet,
    'wallet:rpc': v.object({ address: evmAddress, response: v.object({ method: text, data: signedData }) }),
    'solana-wallet:create': v.object({ publicKey: solanaAddress, ...createdWallet }),
    'solana-wallet:connect': solanaWallet,
    'solana-wallet:recover': solanaWallet,
    'solana-wallet:rpc': v.object({
      ...solanaWallet.entries,
      /** The signature of a message, or the signed transaction. */
      response: v.object({
        data: v.union([
          v.object({ signature: solanaSignature }),
          v.object({ transaction: solanaTransaction }),
        ]),
      }),
    }),
    'mfa:verify': empty,
    'mfa:init-enrollment': v.object({
      method: v.picklist(['totp', 'sms']),
      /** The secret of an authenticator app in base32, and as an `otpauth:` URL for its camera. */
      secret: v.exactOptional(text),
      authUrl: v.exactOptional(text),
    }),
    'mfa:submit-enrollment': userAnswer,
    'mfa:unenroll': userAnswer,
    /** Includes the user with the new recovery method. */
    'wallet:set-recovery': v.object({ address: evmAddress, user: userRecordSchema }),
    'page:begin': v.object({ publicKey: sealingKey }),
    'page:key': evmWallet,
    'page:confirm': v.object({ statement: text }),
    'wallet:export': empty,
    'farcaster:init-signer': v.object({
      publicKey: signerPublicKey,
      status: v.picklist(signerStatuses),
      signerApprovalUrl: v.exactOptional(text),
      fid: v.exactOptional(fid),
    }),
    'farcaster:sign': v.object({ hash: farcasterHash, signature: farcasterSignature }),
    'mfa:clear': empty,
    'account:delete': empty,
  },
} as const satisfies ReceivedMessages
export type WalletParentMessages = typeof walletParentMessages
