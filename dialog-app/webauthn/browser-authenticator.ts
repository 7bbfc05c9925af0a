/** Browser passkeys: https://www.w3.org/TR/webauthn-3/ */
import { LatchkeyError } from '@latchkey/protocol'
import type { Assertion, AssertionOptions, Attestation, AttestationOptions } from '@latchkey/protocol/api'
import {
  type AuthenticationResponseJSON,
  browserSupportsWebAuthnAutofill,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
} from '@simplewebauthn/browser'
import { type Authenticator, FrameRefused, notAllowed } from './authenticator.ts'
import { type Ceremony, createFrame, isForbidden, wasRefused } from './frame.ts'

export const browserAuthenticator: Authenticator = {
  get: async (options, signal) => (await assert(options, signal)).assertion,
  create: async (options, signal) => (await attest(options, signal)).attestation,
  suggestions: {
    isAvailable: async () => !isForbidden(createFrame(window), 'get') && browserSupportsWebAuthnAutofill(),
    get: async (options, signal) =>
      (await assert(options, signal, {}, { useBrowserAutofill: true })).assertion,
  },
}

/** Extensions with results that stay in the browser, such as PRF. */
export type MoreExtensions = AuthenticationExtensionsClientInputs

export async function assert(
  { allowCredentials, extensions, ...options }: AssertionOptions,
  signal: AbortSignal,
  more: MoreExtensions = {},
  autofill: { useBrowserAutofill?: true } = {},
) {
  const optionsJSON: PublicKeyCredentialRequestOptionsJSON = {
    ...options,
    ...(allowCredentials && { allowCredentials: allowCredentials.map(descriptor) }),
    extensions: { ...(extensions && toExtensionInputs(extensions)), ...more },
  }
  const answer = await untilAborted('get', () => startAuthentication({ optionsJSON, ...autofill }), signal)
  const { clientDataJSON, authenticatorData, signature, userHandle } = answer.response
  const assertion: Assertion = {
    ...toCredential(answer),
    response: {
      clientDataJson: clientDataJSON,
      authenticatorData,
      signature,
      ...(userHandle !== undefined && { userHandle }),
    },
  }
  return { assertion, results: answer.clientExtensionResults }
}

export async function attest(
  { excludeCredentials, extensions, ...options }: AttestationOptions,
  signal: AbortSignal,
  more: MoreExtensions = {},
) {
  const optionsJSON: PublicKeyCredentialCreationOptionsJSON = {
    ...options,
    ...(excludeCredentials && { excludeCredentials: excludeCredentials.map(descriptor) }),
    extensions: { ...(extensions && toExtensionInputs(extensions)), ...more },
  }
  const answer = await untilAborted('create', () => startRegistration({ optionsJSON }), signal)
  const { clientDataJSON, attestationObject, authenticatorData, transports, publicKey, publicKeyAlgorithm } =
    answer.response
  const attestation: Attestation = {
    ...toCredential(answer),
    response: {
      clientDataJson: clientDataJSON,
      attestationObject,
      ...(authenticatorData !== undefined && { authenticatorData }),
      ...(transports !== undefined && { transports }),
      ...(publicKey !== undefined && { publicKey }),
      ...(publicKeyAlgorithm !== undefined && { publicKeyAlgorithm }),
    },
  }
  return { attestation, results: answer.clientExtensionResults }
}

async function untilAborted<T>(ceremony: Ceremony, ask: () => Promise<T>, signal: AbortSignal): Promise<T> {
  const frame = createFrame(window)
  if (isForbidden(frame, ceremony)) throw new FrameRefused()
  const sinceMs = frame.nowMs()
  const cancel = () => WebAuthnAbortService.cancelCeremony()
  signal.addEventListener('abort', cancel)
  try {
    return await ask()
  } catch (cause) {
    throw wasRefused(frame, { ceremony, sinceMs, cause }) ? new FrameRefused(cause) : toRefusal(cause)
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

/** Browsers report a user's refusal, a timeout and a policy violation alike. */
const isNotAllowed = (cause: unknown) =>
  cause instanceof Error && (cause.name === 'NotAllowedError' || cause.name === 'AbortError')

const toRefusal = (cause: unknown) =>
  isNotAllowed(cause)
    ? notAllowed(cause)
    : new LatchkeyError('unknown_auth_error', 'The passkey request failed', { cause })

type Extensions = NonNullable<(AssertionOptions | AttestationOptions)['extensions']>

function toExtensionInputs({ appId, credProps, hmacCreateSecret }: Extensions) {
  return {
    ...(appId !== undefined && { appid: appId }),
    ...(credProps !== undefined && { credProps: true }),
    ...(hmacCreateSecret !== undefined && { hmacCreateSecret }),
  }
}

/** The standard ignores unknown transports. */
const transportNames = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const
type Credential = NonNullable<AttestationOptions['excludeCredentials']>[number]

const descriptor = ({ id, type, transports = [] }: Credential) => ({
  id,
  type,
  transports: transportNames.filter((name) => transports.includes(name)),
})

type Answer = Pick<
  AuthenticationResponseJSON,
  'id' | 'rawId' | 'authenticatorAttachment' | 'clientExtensionResults'
>

function toCredential({ id, rawId, authenticatorAttachment, clientExtensionResults }: Answer) {
  const { appid, credProps, hmacCreateSecret } = clientExtensionResults
  const results: Assertion['clientExtensionResults'] = {
    ...(appid !== undefined && { appId: appid }),
    ...(credProps && { credProps: credProps.rk === undefined ? {} : { rk: credProps.rk } }),
    ...(hmacCreateSecret !== undefined && { hmacCreateSecret }),
  }
  return {
    id,
    rawId,
    type: 'public-key' as const,
    ...(authenticatorAttachment && { authenticatorAttachment }),
    clientExtensionResults: results,
  }
}
