/** Asks the passkey that keeps the wallet, whose relying party is this hostname, at the top of this window. */
import type { Assertion, AssertionOptions } from '@latchkey/protocol/api'
import { startAuthentication } from '@simplewebauthn/browser'

/** Throws where it is not given: a browser does not say whether that was the user, the time, or that it is not here. */
export async function askPasskey({
  allowCredentials = [],
  extensions: _none,
  ...options
}: AssertionOptions): Promise<Assertion> {
  const answer = await startAuthentication({
    optionsJSON: {
      ...options,
      allowCredentials: allowCredentials.map(({ id, type, transports = [] }) => ({
        id,
        type,
        transports: knownTransports.filter((name) => transports.includes(name)),
      })),
    },
  })
  const { id, rawId, response } = answer
  const { clientDataJSON, authenticatorData, signature, userHandle } = response
  return {
    id,
    rawId,
    type: 'public-key',
    clientExtensionResults: {},
    response: {
      clientDataJson: clientDataJSON,
      authenticatorData,
      signature,
      ...(userHandle !== undefined && { userHandle }),
    },
  }
}

const knownTransports = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const
