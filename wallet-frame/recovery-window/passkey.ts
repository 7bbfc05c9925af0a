/**
 * Passkeys that give the same secret for the same salt, each time: https://www.w3.org/TR/webauthn-3/#prf-extension
 *
 * Their relying party is this hostname, and this page stands at the top of its window, so no other page of ours can ask
 * them. What one gives becomes a key that can not be read as soon as it is here, and its bytes are zeroed.
 */
import { LatchkeyError } from '@latchkey/protocol'
import { assertionOptions, attestationOptions } from '@latchkey/protocol/api'
import { passkeyInfo, passkeySaltText } from '@latchkey/protocol/wallet'
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
/** Undefined if the authenticator gives no secret. */
export type PasskeySecret = CryptoKey | undefined

export type CreatedPasskey = {
  credentialId: string
  transports: readonly string[]
  /** The attestation by which the server registers the passkey. */
  attestation: Record
  /** Some give nothing before they are asked once more; one that is not able never does. */
  isAble: boolean
  secret: PasskeySecret
  salt: string
}

export type Authenticator = {
  /** Must run inside a press, because the browser asks the user. */
  create: (options: Record) => Promise<CreatedPasskey>
  get: (options: Record, salt: string) => Promise<{ assertion: Record; secret: PasskeySecret }>
}

export const browserAuthenticator: Authenticator = {
  async create(said) {
    const { excludeCredentials: _none, ...options } = v.parse(attestationOptions, said)
    const salt = await saltOf(options.challenge)
    const optionsJSON: PublicKeyCredentialCreationOptionsJSON = {
      ...options,
      extensions: { credProps: true, ...evaluating(salt) },
    }
    const answer = await refusing(() => startRegistration({ optionsJSON }))
    const { clientDataJSON, attestationObject, transports = [] } = answer.response
    const secret = await keyOf(answer.clientExtensionResults)
    return {
      credentialId: answer.id,
      transports,
      attestation: {
        ...namesOf(answer),
        response: { clientDataJson: clientDataJSON, attestationObject, transports },
      },
      isAble: secret !== undefined || answer.clientExtensionResults.prf?.enabled === true,
      secret,
      salt,
    }
  },

  async get(said, salt) {
    const options = v.parse(assertionOptions, said)
    const { assertion, results } = await refusing(() => askPasskey(options, evaluating(salt)))
    return { assertion, secret: await keyOf(results) }
  },
}

/** A passkey that was made a moment ago is asked for what it gives, and nobody is told what it signed. */
export const optionsOfCreated = ({ credentialId, transports }: CreatedPasskey, rpId: string): Record => ({
  challenge: base64urlnopad.encode(crypto.getRandomValues(new Uint8Array(32))),
  rpId,
  allowCredentials: [{ id: credentialId, type: 'public-key', transports }],
  userVerification: 'required',
})

/** The server makes the same one of its challenge, and checks that challenge: nobody in between names another salt. */
export async function saltOf(challenge: string): Promise<string> {
  const hashed = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(passkeySaltText(challenge)))
  return base64urlnopad.encode(new Uint8Array(hashed))
}

const SECRET_BITS = 256

/** What leaves this page, sealed. */
export async function derivedSecret(given: CryptoKey): Promise<Uint8Array<ArrayBuffer>> {
  const derivation = {
    name: 'HKDF',
    hash: 'SHA-256',
    salt: new Uint8Array(0),
    info: new TextEncoder().encode(passkeyInfo.secret),
  }
  return new Uint8Array(await crypto.subtle.deriveBits(derivation, given, SECRET_BITS))
}

const evaluating = (salt: string) => ({
  prf: { eval: { first: new Uint8Array(base64urlnopad.decode(salt)) } },
})

const namesOf = ({ id, rawId }: { id: string; rawId: string }) => ({
  id,
  rawId,
  type: 'public-key',
  clientExtensionResults: {},
})

type Results = Awaited<ReturnType<typeof startAuthentication>>['clientExtensionResults']

async function keyOf({ prf }: Results): Promise<PasskeySecret> {
  const first = prf?.results?.first
  // Browsers give a buffer of its own.
  if (!(first instanceof ArrayBuffer)) return undefined
  return withSecret(new Uint8Array(first), (bytes) =>
    crypto.subtle.importKey('raw', bytes, 'HKDF', false, ['deriveBits']),
  )
}

/** A browser does not say whether it was the user, the time or its own policy. */
async function refusing<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask()
  } catch (cause) {
    throw new LatchkeyError('passkey_not_allowed', 'The passkey was not given', { cause })
  }
}
