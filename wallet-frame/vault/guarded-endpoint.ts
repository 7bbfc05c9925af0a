/**
 * Restricts comlink's protocol to calls of `call` with one plain argument.
 *
 * Comlink follows any property path that a message names, assigns to it (SET), constructs (CONSTRUCT) and
 * opens further ports (ENDPOINT). With `['constructor', 'prototype', …]` a page could modify the vault's
 * built-ins. So every message is parsed first, and comlink receives only the parsed copy.
 */
import * as v from 'valibot'

const callMessageSchema = v.strictObject({
  id: v.pipe(v.string(), v.minLength(1), v.maxLength(64)),
  type: v.literal('APPLY'),
  path: v.strictTuple([v.literal('call')]),
  argumentList: v.strictTuple([v.strictObject({ type: v.literal('RAW'), value: v.unknown() })]),
})

export type MessagePeer = {
  postMessage(message: unknown, transfer: Transferable[]): void
  addEventListener(type: 'message', listener: (event: MessageEvent) => void): void
}

export function createGuardedEndpoint(peer: MessagePeer) {
  return {
    postMessage: (message: unknown, transfer: Transferable[] = []) => peer.postMessage(message, transfer),
    addEventListener: (_type: string, listener: EventListenerOrEventListenerObject) =>
      peer.addEventListener('message', ({ data }) => {
        const message = v.safeParse(callMessageSchema, data)
        if (!message.success) return
        const event = new MessageEvent('message', { data: message.output })
        if (typeof listener === 'function') listener(event)
        else listener.handleEvent(event)
      }),
    /** Comlink removes its listener only on RELEASE, which the schema rejects. */
    removeEventListener: () => undefined,
  }
}
