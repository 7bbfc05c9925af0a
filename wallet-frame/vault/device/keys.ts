/**
 * Device keys: one signing key per login, generated here and not exportable, not even by this worker. A new
 * key belongs to the operation that stated the login. Once the server has answered the login, the key is
 * stored under its user and replaces the previous one. If the browser cannot store it, it lives as long as
 * this worker.
 */
import { LatchkeyError, walletLimits } from '@latchkey/protocol'
import {
  type Decision,
  type DeviceStatement,
  decisionType,
  deviceStatementType,
  type StatementInput,
  type StatementPurpose,
} from '@latchkey/protocol/wallet'
import { base64urlnopad } from '@scure/base'
import type { DeviceDatabase, DeviceOwner } from './store.ts'

export function createDeviceKeys(openDatabase: (owner: DeviceOwner) => DeviceDatabase) {
  /** Keys of logins that the server has not answered yet, by operation. */
  const pending = new Map<string, CryptoKeyPair>()
  /** Keys that the browser could not store, by user. */
  const unstored = new Map<string, CryptoKeyPair>()

  async function getPendingKey(operationId: string): Promise<CryptoKeyPair> {
    const pair = pending.get(operationId) ?? (await generateSigningPair())
    pending.set(operationId, pair)
    return pair
  }

  async function getKey(owner: DeviceOwner): Promise<CryptoKeyPair> {
    const pair = unstored.get(toUserKey(owner)) ?? (await readStoredKey(openDatabase(owner)))
    if (pair) return pair
    throw new LatchkeyError('device_not_bound', 'This device has no key for the session of the user')
  }

  return {
    getKey,
    /** Returns the key of a login that the server has not answered yet. It has no user. */
    getPendingKey,
    forget: (operationId: string) => void pending.delete(operationId),
    async file(operationId: string, owner: DeviceOwner): Promise<void> {
      const pair = pending.get(operationId)
      if (!pair) throw new LatchkeyError('vault_operation_unknown', 'No login was stated in this operation')
      unstored.set(toUserKey(owner), pair)
      pending.delete(operationId)
      // A failed write must not fail the login: the key stays in memory.
      await openDatabase(owner)
        .writeSigner(pair)
        .then(
          () => unstored.delete(toUserKey(owner)),
          () => {},
        )
    },
    /** Returns how long the vault must stay open for keys that the browser could not store. */
    openForMs: () => (unstored.size > 0 ? walletLimits.unfiledDeviceMs : 0),
  }
}

/** Reads the stored key. Returns undefined for an invalid record. */
async function readStoredKey(database: DeviceDatabase): Promise<CryptoKeyPair | undefined> {
  const stored = await database.readSigner().catch((): undefined => undefined)
  const { privateKey, publicKey } = Object(stored) as Partial<CryptoKeyPair>
  if (!(privateKey instanceof CryptoKey) || !(publicKey instanceof CryptoKey)) return undefined
  return { privateKey, publicKey }
}

const toUserKey = ({ appId, userId }: DeviceOwner) => `${appId}:${userId}`

type Statement = Omit<StatementInput, 'purpose'> & {
  appId: string
  vaultKey: string
  purpose: StatementPurpose
}

export function signStatement(
  pair: CryptoKeyPair,
  { appId, vaultKey, purpose, operation, address, digest, dialogKey }: Statement,
): Promise<string> {
  const claims: DeviceStatement = {
    aud: appId,
    vpk: vaultKey,
    purpose,
    op: operation,
    address,
    digest,
    jkt: dialogKey,
  }
  return signCompact(pair, deviceStatementType, claims)
}

/** Signs the statement that the server requires for an approval. */
export function signApproval(
  pair: CryptoKeyPair,
  { appId, handle, digest }: { appId: string; handle: string; digest: string },
): Promise<string> {
  const claims: Decision = { aud: appId, decision: 'approve', handle, digest }
  return signCompact(pair, decisionType, claims)
}

/** A call with a wallet token, as its proof binds it. */
export type CallToProve = {
  method: string
  url: string
  requestId: string
  /**
   * The SHA-256 of the token. The vault needs neither the token nor the body, so it receives only their
   * hashes.
   */
  tokenHash: string
  bodyHash: string
  atSeconds: number
}

/** Signs a DPoP proof (RFC 9449) that also binds the hash of the body. */
export const signProof = (
  pair: CryptoKeyPair,
  { method, url, requestId, tokenHash, bodyHash, atSeconds }: CallToProve,
): Promise<string> =>
  signCompact(pair, 'dpop+jwt', {
    jti: requestId,
    htm: method,
    htu: url,
    iat: atSeconds,
    ath: tokenHash,
    bth: bodyHash,
  })

const algorithm = { name: 'ECDSA', namedCurve: 'P-256' } as const

export const generateSigningPair = (): Promise<CryptoKeyPair> =>
  crypto.subtle.generateKey(algorithm, false, ['sign', 'verify'])

/** Signs a compact JWS (RFC 7515) with ES256. Its header contains the public key. */
async function signCompact(
  { privateKey, publicKey }: CryptoKeyPair,
  type: string,
  claims: object,
): Promise<string> {
  const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', publicKey)
  const signingInput = `${encodeJson({ typ: type, alg: 'ES256', jwk: { kty, crv, x, y } })}.${encodeJson(claims)}`
  const bytes = new TextEncoder().encode(signingInput)
  const signature = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, privateKey, bytes)
  return `${signingInput}.${base64urlnopad.encode(new Uint8Array(signature))}`
}

const encodeJson = (value: object) => base64urlnopad.encode(new TextEncoder().encode(JSON.stringify(value)))
