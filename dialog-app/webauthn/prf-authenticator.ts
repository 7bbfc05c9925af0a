/**
 * Passkeys that give the same secret for the same salt, each time: https://www.w3.org/TR/webauthn-3/#prf-extension
 *
 * What one gives becomes a key that can not be read as soon as it is here, and its bytes are zeroed.
 */
import type { Assertion, AssertionOptions, Attestation, AttestationOptions } from '@latchkey/protocol/api'
import { fromBase64url } from '../base64url.ts'
import { assert, attest } from './browser-authenticator.ts'

export type PrfAuthenticator = {
  /** Whether this browser says of itself that it has it. An authenticator may still lack it. */
  readonly isSupported: () => Promise<boolean>
  /** Browsers want it asked for within a few seconds after the user's press. Some give nothing before they are asked again. */
  readonly create: (
    options: AttestationOptions,
    salt: string,
    signal: AbortSignal,
  ) => Promise<{ readonly attestation: Attestation; readonly isAble: boolean; readonly given: Given }>
  readonly get: (
    options: AssertionOptions,
    salt: string,
    signal: AbortSignal,
  ) => Promise<{ readonly assertion: Assertion; readonly given: Given }>
}
/** From it what leaves the dialog is derived. Missing where nothing was given. */
type Given = CryptoKey | undefined

export const prfAuthenticator: PrfAuthenticator = {
  async isSupported() {
    const { PublicKeyCredential: passkeys } = globalThis
    // Not every browser that has passkeys can say this of itself.
    if (typeof passkeys?.getClientCapabilities !== 'function') return false
    const { 'extension:prf': hasPrf } = await passkeys.getClientCapabilities()
    return hasPrf === true
  },
  async create(options, salt, signal) {
    const { attestation, results } = await attest(options, signal, evaluating(salt))
    const given = await keyOf(results)
    return { attestation, isAble: given !== undefined || results.prf?.enabled === true, given }
  },
  async get(options, salt, signal) {
    const { assertion, results } = await assert(options, signal, evaluating(salt))
    return { assertion, given: await keyOf(results) }
  },
}

const evaluating = (salt: string) => ({ prf: { eval: { first: fromBase64url(salt) } } })

type Results = Awaited<ReturnType<typeof assert>>['results']

async function keyOf({ prf }: Results): Promise<Given> {
  const first = prf?.results?.first
  // Browsers give a buffer of its own.
  if (!(first instanceof ArrayBuffer)) return undefined
  const bytes = new Uint8Array(first)
  try {
    return await crypto.subtle.importKey('raw', bytes, 'HKDF', false, ['deriveBits'])
  } finally {
    bytes.fill(0)
  }
}
