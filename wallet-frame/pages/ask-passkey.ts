/** Prompts for a passkey of this hostname as relying party. Works in top-level pages. */
import type { Assertion, AssertionOptions } from '@latchkey/protocol/api'
import { startAuthentication } from '@simplewebauthn/browser'

type Answer = Awaited<ReturnType<typeof startAuthentication>>
type Extensions = NonNullable<Parameters<typeof startAuthentication>[0]['optionsJSON']['extensions']>

/**
 * Throws if no passkey is returned. Browsers do not reveal whether the user, a timeout or a missing passkey
 * was the cause.
 */
export async function askPasskey(
  { allowCredentials = [], extensions: _none, ...options }: AssertionOptions,
  extensions?: Extensions,
): Promise<{ assertion: Assertion; results: Answer['clientExtensionResults'] }> {
  const answer = await startAuthentication({
    optionsJSON: {
      ...options,
      allowCredentials: allowCredentials.map(({ id, type, transports = [] }) => ({
        id,
        type,
        transports: knownTransports.filter((name) => transports.includes(name)),
      })),
      ...(extensions && { extensions }),
    },
  })
  const { id, rawId } = answer
  const { clientDataJSON, authenticatorData, signature, userHandle } = answer.response
  return {
    assertion: {
      id,
      rawId,
      type: 'public-key',
      // Results of extensions, such as the PRF secret, stay on this page.
      clientExtensionResults: {},
      response: {
        clientDataJson: clientDataJSON,
        authenticatorData,
        signature,
        ...(userHandle !== undefined && { userHandle }),
      },
    },
    results: answer.clientExtensionResults,
  }
}

const knownTransports = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const
