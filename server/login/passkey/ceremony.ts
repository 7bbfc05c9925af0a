/**
 * Verifies authenticator responses: https://www.w3.org/TR/webauthn-3/#sctn-rp-operations. The library verifies formats,
 * flags, hashes and signatures. This file adds the application's own checks.
 */
import type { Assertion, Attestation } from '@latchkey/protocol/api'
import { type Place, type PlaceRefusal, readClientData, refusedPlace } from './place.ts'

export type Expected = Place & {
  rpId: string
  challenge: string
  userVerification: 'required' | 'preferred'
}

export type NewPasskey = {
  type: 'right'
  credentialId: string
  /** COSE key, base64url. */
  publicKey: string
  counter: number
  aaguid: string
}
export type KnownPasskey = {
  credentialId: string
  publicKey: string
  counter: number
  userHandle: string
  /** True if the passkey was listed in `allowCredentials`. The authenticator may then omit the user handle. */
  isNamed?: boolean
}

/** `unknown`: no app of this server has the passkey. `answer`: the library rejected the response, for the reason in `why`. */
export type Wrong = {
  type: 'wrong'
  reason: PlaceRefusal | 'client_data' | 'attestation' | 'credential' | 'unknown' | 'user_handle' | 'answer'
  why?: string
}
const wrong = (reason: Wrong['reason'], why?: unknown): Wrong =>
  why === undefined ? { type: 'wrong', reason } : { type: 'wrong', reason, why: String(why) }

/** ES256, EdDSA and RS256: https://www.iana.org/assignments/cose */
export const algorithms = [-7, -8, -257] as const

export async function verifyAttestation(
  expected: Expected,
  { response, ...credential }: Attestation,
): Promise<NewPasskey | Wrong> {
  const clientData = readClientData(response.clientDataJson)
  if (clientData === undefined) return wrong('client_data')
  const misplaced = refusedPlace(clientData, expected)
  if (misplaced !== undefined) return wrong(misplaced)
  // Loaded on demand, because apps without passkeys never need them.
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  try {
    if (await hasCertificate(response.attestationObject)) return wrong('attestation')
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        ...toCredentialFields(credential),
        response: {
          clientDataJSON: response.clientDataJson,
          attestationObject: response.attestationObject,
        },
      },
      expectedChallenge: expected.challenge,
      expectedOrigin: expected.origin,
      expectedRPID: expected.rpId,
      requireUserVerification: expected.userVerification === 'required',
      supportedAlgorithmIDs: [...algorithms],
    })
    if (!verified) return wrong('answer')
    const { id, publicKey, counter } = registrationInfo.credential
    if (id !== credential.id) return wrong('credential')
    return {
      type: 'right',
      credentialId: id,
      publicKey: Buffer.from(publicKey).toString('base64url'),
      counter,
      aaguid: registrationInfo.aaguid,
    }
  } catch (cause) {
    return wrong('answer', cause)
  }
}

/**
 * Returns whether the attestation contains a certificate. None was requested, so browsers send none. The library would
 * look up its revocation at a URL that an attacker could choose.
 */
async function hasCertificate(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject, isoBase64URL } = await import('@simplewebauthn/server/helpers')
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject))
  switch (attestation.get('fmt')) {
    case 'none':
      return false
    case 'packed':
      return attestation.get('attStmt').get('x5c') !== undefined
    default:
      return true
  }
}

export async function verifyAssertion(
  expected: Expected,
  known: KnownPasskey,
  { response, ...credential }: Assertion,
): Promise<{ type: 'right'; counter: number } | Wrong> {
  const clientData = readClientData(response.clientDataJson)
  if (clientData === undefined) return wrong('client_data')
  const misplaced = refusedPlace(clientData, expected)
  if (misplaced !== undefined) return wrong(misplaced)
  // If no passkey was listed, the authenticator must return the user handle.
  const userHandle = response.userHandle ?? (known.isNamed ? known.userHandle : undefined)
  if (userHandle !== known.userHandle) return wrong('user_handle')
  if (credential.id !== known.credentialId) return wrong('credential')
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        ...toCredentialFields(credential),
        response: {
          clientDataJSON: response.clientDataJson,
          authenticatorData: response.authenticatorData,
          signature: response.signature,
          userHandle: known.userHandle,
        },
      },
      expectedChallenge: expected.challenge,
      expectedOrigin: expected.origin,
      expectedRPID: expected.rpId,
      ...(clientData.topOrigin !== undefined && { expectedTopOrigin: clientData.topOrigin }),
      credential: {
        id: known.credentialId,
        publicKey: new Uint8Array(Buffer.from(known.publicKey, 'base64url')),
        counter: known.counter,
      },
      requireUserVerification: expected.userVerification === 'required',
    })
    return verified ? { type: 'right', counter: authenticationInfo.newCounter } : wrong('answer')
  } catch (cause) {
    return wrong('answer', cause)
  }
}

const toCredentialFields = ({ id, rawId, type }: Pick<Assertion, 'id' | 'rawId' | 'type'>) => ({
  id,
  rawId,
  type,
  clientExtensionResults: {},
})
