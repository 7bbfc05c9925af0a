/**
 * A boundary between two documents in memory, for tests of what happens between two messages: they move when the
 * test says so, cloned as in a browser, and each one is kept to be looked at.
 */
import type { Message, MessageHandler, Messenger } from 'penpal'

export type End = 'parent' | 'child'
type Handlers = Set<MessageHandler>

/** Lets everything run that waits for no message and no timer. */
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
    /** All that was ever sent, from either side. */
    sent,
    /** A new document at this end: what was there before hears nothing any more. */
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
    /** Delivers the oldest message, and nothing else happens. */
    deliver,
    /** Delivers messages until both sides rest. */
    async flow() {
      await settle()
      while (underWay.length > 0) {
        deliver()
        await settle()
      }
    },
    /** From now on nothing arrives, as where the other window is stuck. */
    cut: () => {
      isCut = true
    },
  }
}
