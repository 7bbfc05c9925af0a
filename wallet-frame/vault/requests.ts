/** Schemas of the requests that the page sends to the vault, which parses them. */
import { appId, base64url, chainTypes, id, text, thumbprint, walletAddress } from '@latchkey/protocol'
import {
  cloudRecoveries,
  confirmationHandle,
  farcasterHash,
  operationStepSchema,
  passwordParamsSchema,
  sealedShareSchema,
  sealingKey,
  serverSealingKeySchema,
  shareKinds,
  signedDigest,
  signerKeyIndex,
  statementInputSchema,
  storedOwnRecoverySchema,
} from '@latchkey/protocol/wallet'
import * as v from 'valibot'
import { type OperationKind, operationKinds } from './operations/operations.ts'
import { signRequestSchema } from './signing/index.ts'
import { stopSchema } from './stop.ts'

/**
 * A wallet without its address: its owner, and the generation of its shares, which lie on one Shamir line.
 */
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
 * How the recovery share is stored if the user holds its key. A password or passkey secret is sealed to the
 * step of the call. For a cloud, the vault creates the file.
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
  /** Creates the key pair of an operation. */
  begin: v.strictObject({}),
  end: v.strictObject({ operationId: id }),
  /**
   * Signs a statement for the server that this step belongs to a key of this vault. A login has no user ID
   * yet.
   */
  state: v.strictObject({ ...statementInputSchema.entries, appId, userId: v.nullable(id) }),
  /** Signs the same statement for a step of another vault: that of the export window. */
  stateExport: v.strictObject({
    ...statementInputSchema.entries,
    purpose: v.literal('export'),
    appId,
    userId: id,
    vaultKey: sealingKey,
  }),
  /**
   * Stores the device key of this operation's login under its user, after the server has answered the login.
   */
  fileDevice: v.strictObject({ operationId: id, appId, userId: id }),
  /** Signs the approval that the user gave on the confirmation page. */
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
  /** Verifies that a step can be done, before the server is called. */
  enter: v.strictObject({ operation, kind: v.picklist(kinds) }),
  /**
   * Creates a wallet from new entropy or from an imported key. Without `recoveryStorage` the server stores
   * the recovery share too. Sealed inputs are sealed to this step.
   */
  create: v.strictObject({
    line,
    serverKey: serverSealingKeySchema,
    operation,
    importedKey: v.exactOptional(sealedShareSchema),
    recoveryStorage: v.exactOptional(recoveryStorage),
  }),
  /** Verifies that this device has the share of a wallet that the server knows. */
  adopt: v.strictObject({ wallet }),
  /** Recovers a wallet. With a file, `recovery` is the envelope that the file opens. */
  recover: v.strictObject({
    wallet,
    operation,
    auth: sealedShareSchema,
    recovery: sealedShareSchema,
    file: v.exactOptional(text),
  }),
  /**
   * Returns the password's access key, sealed to the server. The encryption key stays here for
   * `recoverUnlocked`.
   */
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
  /** Recovers with the PRF output of a passkey, which opens the share in `recovery`. */
  recoverByPasskey: v.strictObject({
    wallet,
    operation,
    secret: sealedShareSchema,
    auth: sealedShareSchema,
    recovery: sealedShareSchema,
  }),
  /** Creates the shares of another generation. */
  reshare: v.strictObject({
    wallet,
    operation,
    auth: sealedShareSchema,
    generation: line.entries.generation,
    serverKey: serverSealingKeySchema,
    recoveryStorage,
  }),
  /** Tests the shares that the server stored for a reshare. `wallet` has their generation. */
  confirm: v.strictObject({
    wallet,
    operation,
    auth: sealedShareSchema,
    recovery: storedOwnRecoverySchema,
    /** The file as the user's cloud stores it. */
    file: v.exactOptional(text),
  }),
  sign: v.strictObject({
    wallet,
    operation,
    auth: sealedShareSchema,
    request: signRequestSchema,
  }),
  /** Derives the Solana address of an Ethereum wallet, and signs its proof with both keys. */
  proveSolanaAddress: v.strictObject({ wallet, operation, auth: sealedShareSchema }),
  /** Seals the device share to the vault of the export window. */
  sealForExport: v.strictObject({ wallet, operation, vaultKey: sealingKey }),
  /** Returns the public key of the Farcaster signer with this index, and with a hash also its signature. */
  farcasterSigner: v.strictObject({
    wallet,
    operation,
    auth: sealedShareSchema,
    keyIndex: signerKeyIndex,
    hash: v.exactOptional(farcasterHash),
  }),
  /** Stops a call that its caller has aborted. */
  stop: stopSchema,
} as const
export type VaultInputs = typeof vaultInputs
export type VaultRequest = keyof VaultInputs
