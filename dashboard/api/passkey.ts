/** Passkey ceremonies in this page. */
import type { Assertion, AssertionOptions, Attestation, AttestationOptions } from '@latchkey/protocol/api'
import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser'

/** The operator closed the browser's passkey window, or it timed out. */
export class PasskeyCancelled extends Error {
  override name = 'PasskeyCancelled'
}

const throwCancelled = (cause: unknown): never => {
  throw new PasskeyCancelled('No passkey was used. Try again.', { cause })
}

/** Asks for a passkey of this origin. Without extensions, the options are those of the WebAuthn JSON format. */
export async function assertPasskey(options: AssertionOptions): Promise<Assertion> {
  const { extensions: _, ...rest } = options
  const optionsJSON = rest as PublicKeyCredentialRequestOptionsJSON
  const credential = await startAuthentication({ optionsJSON }).catch(throwCancelled)
  const { clientDataJSON, authenticatorData, signature, userHandle } = credential.response
  return {
    ...toFields(credential),
    response: {
      clientDataJson: clientDataJSON,
      authenticatorData,
      signature,
      ...(userHandle !== undefined && { userHandle }),
    },
  }
}

export async function createPasskey(options: AttestationOptions): Promise<Attestation> {
  const { extensions: _, ...rest } = options
  const optionsJSON = rest as PublicKeyCredentialCreationOptionsJSON
  const credential = await startRegistration({ optionsJSON }).catch(throwCancelled)
  const { clientDataJSON, attestationObject, transports } = credential.response
  return {
    ...toFields(credential),
    response: {
      clientDataJson: clientDataJSON,
      attestationObject,
      ...(transports !== undefined && { transports }),
    },
  }
}

const toFields = ({ id, rawId }: { id: string; rawId: string }) => ({
  id,
  rawId,
  type: 'public-key' as const,
  clientExtensionResults: {},
})
