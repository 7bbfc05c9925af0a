/**
 * The device keys: one for each login, made here, which can sign and can not be copied, not even by this worker. A key
 * waits with the operation that stated the login, and is filed under its user once the login was answered; there it
 * takes the place of the one before. Where the browser keeps nothing it lives as long as this worker.
 */
import { LatchkeyError, walletLimits } from '@latchkey/protocol'
import {
  type Decision,
  type DeviceStatement,
  decisionType,
  deviceStatementType,
  type Stated,
  type StatedPurpose,
} from '@latchkey/protocol/wallet'
import { base64urlnopad } from '@scure/base'
import type { DeviceDatabase, DeviceOwner } from './store.ts'

export function createDeviceKeys(openDatabase: (owner: DeviceOwner) => DeviceDatabase) {
  /** Keys of logins that are not answered yet, by operation. */
  const waiting = new Map<string, CryptoKeyPair>()
  /** Keys that the browser did not store, by user. */
  const unfiled = new Map<string, CryptoKeyPair>()

  async function waitingFor(operationId: string): Promise<CryptoKeyPair> {
    const pair = waiting.get(operationId) ?? (await makeSigningPair())
    waiting.set(operationId, pair)
    return pair
  }

  async function of(owner: DeviceOwner): Promise<CryptoKeyPair> {
    const pair = unfiled.get(nameOf(owner)) ?? (await filedKey(openDatabase(owner)))
    if (pair) return pair
    throw new LatchkeyError('device_not_bound', 'This device has no key for the session of the user')
  }

  return {
    of,
    /** The key of a login that is not answered yet, so it belongs to no user. */
    waitingFor,
    forget: (operationId: string) => void waiting.delete(operationId),
    async file(operationId: string, owner: DeviceOwner): Promise<void> {
      const pair = waiting.get(operationId)
      if (!pair) throw new LatchkeyError('vault_operation_unknown', 'No login was stated in this operation')
      unfiled.set(nameOf(owner), pair)
      waiting.delete(operationId)
      // Without a place of its own it stays where it is: that is no reason to have no wallet for now.
      await openDatabase(owner)
        .writeSigner(pair)
        .then(
          () => unfiled.delete(nameOf(owner)),
          () => {},
        )
    },
    /** The vault stays open for as long as a key that was not stored may be needed. */
    heldForMs: () => (unfiled.size > 0 ? walletLimits.unfiledDeviceMs : 0),
  }
}

/** Reads the stored key; a record of another form counts as no key. */
async function filedKey(database: DeviceDatabase): Promise<CryptoKeyPair | undefined> {
  const stored = await database.readSigner().catch((): undefined => undefined)
  const { privateKey, publicKey } = Object(stored) as Partial<CryptoKeyPair>
  if (!(privateKey instanceof CryptoKey) || !(publicKey instanceof CryptoKey)) return undefined
  return { privateKey, publicKey }
}

const nameOf = ({ appId, userId }: DeviceOwner) => `${appId}:${userId}`

type Statement = Omit<Stated, 'purpose'> & {
  appId: string
  vaultKey: string
  purpose: StatedPurpose
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

/** A call with a wallet token. */
export type ProvenCall = {
  method: string
  url: string
  requestId: string
  /** SHA-256 of the token and of the body: the vault has no use for either. */
  tokenHash: string
  bodyHash: string
  atSeconds: number
}

/** RFC 9449, with the hash of the body beside that of the token. */
export const signProof = (
  pair: CryptoKeyPair,
  { method, url, requestId, tokenHash, bodyHash, atSeconds }: ProvenCall,
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

export const makeSigningPair = (): Promise<CryptoKeyPair> =>
  crypto.subtle.generateKey(algorithm, false, ['sign', 'verify'])

/** A compact JWS (RFC 7515) by ES256 that brings its public key along. */
async function signCompact(
  { privateKey, publicKey }: CryptoKeyPair,
  type: string,
  claims: object,
): Promise<string> {
  const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', publicKey)
  const signed = `${encoded({ typ: type, alg: 'ES256', jwk: { kty, crv, x, y } })}.${encoded(claims)}`
  const bytes = new TextEncoder().encode(signed)
  const signature = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, privateKey, bytes)
  return `${signed}.${base64urlnopad.encode(new Uint8Array(signature))}`
}

const encoded = (value: object) => base64urlnopad.encode(new TextEncoder().encode(JSON.stringify(value)))
