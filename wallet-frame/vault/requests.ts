/** The requests that the page sends to the vault, which parses them. */
import { appId, base64url, chainTypes, id, text, thumbprint, walletAddress } from '@latchkey/protocol'
import {
  cloudRecoveries,
  confirmationHandle,
  farcasterHash,
  operationStepSchema,
  passwordParamsSchema,
  readBackRecoverySchema,
  sealedShareSchema,
  sealingKey,
  serverSealingKeySchema,
  shareKinds,
  signedDigest,
  signerKeyIndex,
  statedSchema,
} from '@latchkey/protocol/wallet'
import * as v from 'valibot'
import { type OperationKind, operationKinds } from './operations/operations.ts'
import { signRequestSchema } from './signing/index.ts'
import { stopSchema } from './stop.ts'

/** Which wallet of whom, and which of the secrets that it had. */
export const line = v.strictObject({
  appId,
  userId: id,
  walletId: id,
  kind: v.picklist(shareKinds),
  chain: v.picklist(chainTypes),
  generation: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
})
export const wallet = v.strictObject({ ...line.entries, address: walletAddress })
const kinds = Object.keys(operationKinds) as [OperationKind, ...OperationKind[]]

const operation = operationStepSchema
/**
 * How the recovery share is stored where the user has what opens it. A password, or the secret of a passkey, comes sealed to
 * the step of the call; the vault makes the file.
 */
const recoveryStorage = v.variant('method', [
  v.strictObject({ method: v.picklist(cloudRecoveries) }),
  v.strictObject({ method: v.literal('user-passcode'), password: sealedShareSchema }),
  v.strictObject({
    method: v.literal('passkey'),
    secret: sealedShareSchema,
    credentialId: base64url,
  }),
])

export const vaultInputs = {
  /** Makes the key pair of an operation. */
  begin: v.strictObject({}),
  end: v.strictObject({ operationId: id }),
  /** Signs for the server that this step is of a key of this vault. Of a login nobody knows the user yet. */
  state: v.strictObject({ ...statedSchema.entries, appId, userId: v.nullable(id) }),
  /** The same of a step that is for another vault: that of the window in which the user sees the key. */
  stateExport: v.strictObject({
    ...statedSchema.entries,
    purpose: v.literal('export'),
    appId,
    userId: id,
    vaultKey: sealingKey,
  }),
  /** The login that was stated in this operation was answered: from now on its device key is this user's. */
  fileDevice: v.strictObject({ operationId: id, appId, userId: id }),
  /** Signs that the user of this device has approved a request, on the page of confirmations. */
  approve: v.strictObject({ appId, userId: id, handle: confirmationHandle, digest: signedDigest }),
  /** Signs a call that the page makes with a wallet token. */
  prove: v.strictObject({
    appId,
    userId: id,
    method: v.string(),
    url: v.string(),
    requestId: v.string(),
    tokenHash: thumbprint,
    bodyHash: thumbprint,
    atSeconds: v.pipe(v.number(), v.safeInteger()),
  }),
  /** Asks whether this step may be done, before the server is asked. */
  enter: v.strictObject({ operation, kind: v.picklist(kinds) }),
  /**
   * Makes a wallet of new entropy, or of an imported key. Without `recoveryStorage` the server has the recovery share too.
   * What comes sealed is sealed to this step.
   */
  create: v.strictObject({
    line,
    serverKey: serverSealingKeySchema,
    operation,
    importedKey: v.exactOptional(sealedShareSchema),
    recoveryStorage: v.exactOptional(recoveryStorage),
  }),
  /** Takes up this device's share of a wallet that the server has. */
  adopt: v.strictObject({ wallet }),
  /** If a file is given, `recovery` is the share that the file opens. */
  recover: v.strictObject({
    wallet,
    operation,
    auth: sealedShareSchema,
    recovery: sealedShareSchema,
    file: v.exactOptional(text),
  }),
  /** What of a password is for the server; what stays here is for `recoverUnlocked`, in the same step. */
  unlock: v.strictObject({
    wallet,
    operation,
    password: sealedShareSchema,
    params: passwordParamsSchema,
    serverKey: serverSealingKeySchema,
  }),
  recoverUnlocked: v.strictObject({
    wallet,
    operation,
    auth: sealedShareSchema,
    recoveryEnvelope: text,
  }),
  /** Recovers with the secret of a passkey, which opens the share in `recovery`. */
  recoverByPasskey: v.strictObject({
    wallet,
    operation,
    secret: sealedShareSchema,
    auth: sealedShareSchema,
    recovery: sealedShareSchema,
  }),
  /** Makes the shares of another generation. */
  reshare: v.strictObject({
    wallet,
    operation,
    auth: sealedShareSchema,
    generation: line.entries.generation,
    serverKey: serverSealingKeySchema,
    recoveryStorage,
  }),
  /** Tries what the server kept of them. `wallet` has their generation. */
  confirm: v.strictObject({
    wallet,
    operation,
    auth: sealedShareSchema,
    recovery: readBackRecoverySchema,
    /** The file as the user keeps it. */
    file: v.exactOptional(text),
  }),
  sign: v.strictObject({
    wallet,
    operation,
    auth: sealedShareSchema,
    request: signRequestSchema,
  }),
  /** Seals this device's share to that other vault. */
  sealForExport: v.strictObject({ wallet, operation, vaultKey: sealingKey }),
  /** The public key of the Farcaster signer of this index, and with a hash its signature too. */
  farcasterSigner: v.strictObject({
    wallet,
    operation,
    auth: sealedShareSchema,
    keyIndex: signerKeyIndex,
    hash: v.exactOptional(farcasterHash),
  }),
  /** Stops a call that nobody waits for any more. */
  stop: stopSchema,
} as const
export type VaultInputs = typeof vaultInputs
export type VaultRequest = keyof VaultInputs
