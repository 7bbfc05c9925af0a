/**
 * An in-memory boundary between two documents, to test interleavings. The test delivers messages explicitly; they are
 * cloned like in a browser and recorded.
 */
import type { Message, MessageHandler, Messenger } from 'penpal'

export type End = 'parent' | 'child'
type Handlers = Set<MessageHandler>

/** Flushes pending microtasks. */
export async function settle() {
  for (let turn = 0; turn < 30; turn += 1) await Promise.resolve()
}

export function makeBoundary() {
  const documents: Record<End, Handlers> = { parent: new Set(), child: new Set() }
  const underWay: { to: End; message: Message }[] = []
  const sent: Message[] = []
  let isCut = false

  function deliver() {
    const next = underWay.shift()
    if (next === undefined || isCut) return
    for (const handle of [...documents[next.to]]) handle(next.message)
  }

  return {
    /** All messages sent by either side. */
    sent,
    /** Opens a new document at this end. The previous one receives no more messages. */
    open(end: End): Messenger {
      const handlers: Handlers = new Set()
      documents[end] = handlers
      return {
        initialize: () => {},
        addMessageHandler: (handler) => handlers.add(handler),
        removeMessageHandler: (handler) => handlers.delete(handler),
        destroy: () => handlers.clear(),
        sendMessage(message) {
          const copy = structuredClone(message)
          sent.push(copy)
          underWay.push({ to: end === 'parent' ? 'child' : 'parent', message: copy })
        },
      }
    },
    /** Delivers the oldest message only. */
    deliver,
    /** Delivers messages until none are pending. */
    async flow() {
      await settle()
      while (underWay.length > 0) {
        deliver()
        await settle()
      }
    },
    /** Stops all delivery, like a frozen window. */
    cut: () => {
      isCut = true
    },
  }
}
