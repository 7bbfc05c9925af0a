/**
 * An authenticator that opens a separate window if the browser forbids passkeys in this frame. PRF results are never
 * available through the window, because its answer passes the server.
 */
import type { PasskeyAnswer, PasskeyCeremony } from '@latchkey/protocol/api'
import { throwIfAborted } from '../browser/waiting.ts'
import type { CapabilityPorts } from '../contract/capability.ts'
import type { CardHandle } from '../flow/flow.ts'
import { type Authenticator, FrameRefused, notAllowed } from './authenticator.ts'
import type { WindowPorts } from './window/passkey-window.ts'

/** Returns the authenticator for a card. */
export type OnCard = (card: Pick<CardHandle, 'interrupt'>) => Authenticator

export function throughWindow(
  authenticator: Authenticator,
  ports: WindowPorts & Pick<CapabilityPorts, 'load'>,
  card: Pick<CardHandle, 'interrupt'>,
): Authenticator {
  /** Shows the card with the button that opens the window. */
  async function elsewhere(
    error: unknown,
    ceremony: PasskeyCeremony,
    signal: AbortSignal,
  ): Promise<PasskeyAnswer> {
    if (!(error instanceof FrameRefused)) throw error
    const { passkeyWindow } = await ports.load(() => import('./window/passkey-window.ts'))
    throwIfAborted(signal)
    return card.interrupt(passkeyWindow(ports, ceremony, signal))
  }

  return {
    ...(authenticator.suggestions && { suggestions: authenticator.suggestions }),
    async get(options, signal) {
      try {
        return await authenticator.get(options, signal)
      } catch (error) {
        const answer = await elsewhere(error, { type: 'get', options }, signal)
        if (answer.type === 'get') return answer.assertion
        throw notAllowed()
      }
    },
    async create(options, signal) {
      try {
        return await authenticator.create(options, signal)
      } catch (error) {
        const answer = await elsewhere(error, { type: 'create', options }, signal)
        if (answer.type === 'create') return answer.attestation
        throw notAllowed()
      }
    },
  }
}
