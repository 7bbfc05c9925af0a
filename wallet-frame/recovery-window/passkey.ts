/**
 * Passkeys with the PRF extension: the same salt always returns the same secret.
 * https://www.w3.org/TR/webauthn-3/#prf-extension
 *
 * The relying party is this hostname, and this page runs at the top of its window, so no other Latchkey page
 * can use these passkeys. The secret is imported as a non-extractable key at once, and its bytes are zeroed.
 */
import { LatchkeyError } from '@latchkey/protocol'
import { assertionOptions, attestationOptions } from '@latchkey/protocol/api'
import { createPasskeySaltInput, passkeyInfo } from '@latchkey/protocol/wallet'
import { base64urlnopad } from '@scure/base'
import {
  type PublicKeyCredentialCreationOptionsJSON,
  type startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser'
import * as v from 'valibot'
import { askPasskey } from '../pages/ask-passkey.ts'
import { withSecret } from '../vault/keys/secret-bytes.ts'

type Record = Readonly<globalThis.Record<string, unknown>>
/** Undefined if the authenticator returns no secret. */
export type PasskeySecret = CryptoKey | undefined

export type CreatedPasskey = {
  credentialId: string
  transports: readonly string[]
  /** The attestation with which the server registers the passkey. */
  attestation: Record
  /** Whether the authenticator supports PRF. Some return no secret until a second call. */
  isAble: boolean
  secret: PasskeySecret
  salt: string
}

export type Authenticator = {
  /** Must run inside a press, because the browser prompts the user. */
  create: (options: Record) => Promise<CreatedPasskey>
  get: (options: Record, salt: string) => Promise<{ assertion: Record; secret: PasskeySecret }>
}

export const browserAuthenticator: Authenticator = {
  async create(serverOptions) {
    const { excludeCredentials: _none, ...options } = v.parse(attestationOptions, serverOptions)
    const salt = await deriveSalt(options.challenge)
    const optionsJSON: PublicKeyCredentialCreationOptionsJSON = {
      ...options,
      extensions: { credProps: true, ...prfExtension(salt) },
    }
    const answer = await mapErrors(() => startRegistration({ optionsJSON }))
    const { clientDataJSON, attestationObject, transports = [] } = answer.response
    const secret = await importResult(answer.clientExtensionResults)
    return {
      credentialId: answer.id,
      transports,
      attestation: {
        ...toCredential(answer),
        response: { clientDataJson: clientDataJSON, attestationObject, transports },
      },
      isAble: secret !== undefined || answer.clientExtensionResults.prf?.enabled === true,
      secret,
      salt,
    }
  },

  async get(serverOptions, salt) {
    const options = v.parse(assertionOptions, serverOptions)
    const { assertion, results } = await mapErrors(() => askPasskey(options, prfExtension(salt)))
    return { assertion, secret: await importResult(results) }
  },
}

/** Returns the options to read the secret of a passkey created a moment ago. Its signature is never sent. */
export const createAssertionOptions = (
  { credentialId, transports }: CreatedPasskey,
  rpId: string,
): Record => ({
  challenge: base64urlnopad.encode(crypto.getRandomValues(new Uint8Array(32))),
  rpId,
  allowCredentials: [{ id: credentialId, type: 'public-key', transports }],
  userVerification: 'required',
})

/**
 * Derives the PRF salt from the server's challenge. The server derives the same salt and verifies the
 * challenge, so no other salt can be substituted.
 */
export async function deriveSalt(challenge: string): Promise<string> {
  const hashed = await crypto.subtle.digest(
    'SHA-256',
    new TextEncoder().encode(createPasskeySaltInput(challenge)),
  )
  return base64urlnopad.encode(new Uint8Array(hashed))
}

const SECRET_BITS = 256

/** Derives the secret that leaves this page sealed. */
export async function deriveSecret(given: CryptoKey): Promise<Uint8Array<ArrayBuffer>> {
  const derivation = {
    name: 'HKDF',
    hash: 'SHA-256',
    salt: new Uint8Array(0),
    info: new TextEncoder().encode(passkeyInfo.secret),
  }
  return new Uint8Array(await crypto.subtle.deriveBits(derivation, given, SECRET_BITS))
}

const prfExtension = (salt: string) => ({
  prf: { eval: { first: new Uint8Array(base64urlnopad.decode(salt)) } },
})

const toCredential = ({ id, rawId }: { id: string; rawId: string }) => ({
  id,
  rawId,
  type: 'public-key',
  clientExtensionResults: {},
})

type Results = Awaited<ReturnType<typeof startAuthentication>>['clientExtensionResults']

async function importResult({ prf }: Results): Promise<PasskeySecret> {
  const first = prf?.results?.first
  // Browsers return a separate buffer.
  if (!(first instanceof ArrayBuffer)) return undefined
  return withSecret(new Uint8Array(first), (bytes) =>
    crypto.subtle.importKey('raw', bytes, 'HKDF', false, ['deriveBits']),
  )
}

/**
 * Maps all errors to one code: browsers do not reveal whether the user, a timeout or a policy was the cause.
 */
async function mapErrors<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask()
  } catch (cause) {
    throw new LatchkeyError('passkey_not_allowed', 'The passkey request was cancelled or refused', { cause })
  }
}
