/** The user of the mock: their default decision, or that of the test. */
import { type ErrorCode, LatchkeyError } from '@latchkey/loader'
import { getRefusal } from '@latchkey/loader/fake'
import type { CallName, MockPerson, OpenCall, RecordedCall } from './types.ts'

type Outcome =
  | { type: 'approved'; changes: object }
  | { type: 'refused' }
  | { type: 'failed'; error: LatchkeyError }

/** A pending call before its outcome is known. */
export type Question = {
  name: CallName
  call: RecordedCall
  /** Whether a card is shown for it. */
  isForUser: boolean
  signal: AbortSignal | undefined
}

type Open = {
  call: OpenCall
  outcome: Promise<Outcome>
  begin: (call: RecordedCall) => void
  end: () => void
}

/** Creates a deferred promise. `Promise.withResolvers` is missing in some Node versions that run tests. */
function deferred<T>() {
  let resolve: (value: T) => void = () => {}
  const promise = new Promise<T>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}

const defaultMessages = { refused: 'The user closed it', failed: 'The test failed this call' } as const

export function createPerson(person: MockPerson, card: { show(): void; hide(): void }) {
  let current = person
  const planned = new Map<CallName, Open[]>()
  const waiting = new Set<Open>()
  let cards = 0

  function open<Name extends CallName>(name: Name): Open & { call: OpenCall<Name> } {
    const outcome = deferred<Outcome>()
    const asked = deferred<RecordedCall>()
    const ended = deferred<void>()
    let isAsked = false
    async function settle(how: Outcome) {
      outcome.resolve(how)
      if (isAsked) await ended.promise
    }
    const call: OpenCall<Name> = {
      name,
      asked: asked.promise,
      approve: (changes) => settle({ type: 'approved', changes: { ...changes } }),
      refuse() {
        if (getRefusal(name) === undefined)
          throw new TypeError(`${name}() shows no prompt, so it cannot be refused. Use fail() with a code`)
        return settle({ type: 'refused' })
      },
      fail: (code: ErrorCode, message: string = defaultMessages.failed) =>
        settle({ type: 'failed', error: new LatchkeyError(code, message) }),
    }
    return {
      call,
      outcome: outcome.promise,
      begin(recorded) {
        isAsked = true
        asked.resolve(recorded)
      },
      end: ended.resolve,
    }
  }

  /** Returns the call if the test settles it; undefined if it ends by itself. */
  function openFor({ name, isForUser }: Question): Open | undefined {
    return planned.get(name)?.shift() ?? (isForUser && current === 'waits' ? open(name) : undefined)
  }
  const ownOutcome = ({ isForUser }: Question): Outcome =>
    isForUser && current === 'refuses' ? { type: 'refused' } : { type: 'approved', changes: {} }

  return {
    /** Runs a call once it is approved, with the test's changes, while its card is shown. */
    async decide<Answer>(question: Question, run: (changes: object) => Answer): Promise<Awaited<Answer>> {
      const { name, call, isForUser, signal } = question
      if (isForUser && ++cards === 1) card.show()
      const held = openFor(question)
      if (held) waiting.add(held)
      try {
        // A listener of the card may abort the call immediately.
        if (signal?.aborted) throw signal.reason
        held?.begin(call)
        const outcome = held ? await untilAborted(held.outcome, signal) : ownOutcome(question)
        switch (outcome.type) {
          case 'approved':
            return await run(outcome.changes)
          case 'refused':
            throw new LatchkeyError(getRefusal(name) ?? 'user_rejected_request', defaultMessages.refused)
          case 'failed':
            throw outcome.error
          default:
            return outcome satisfies never
        }
      } finally {
        if (held) waiting.delete(held)
        if (isForUser && --cards === 0) card.hide()
        held?.end()
      }
    },
    next<Name extends CallName>(name: Name): OpenCall<Name> {
      const mine = open(name)
      planned.set(name, [...(planned.get(name) ?? []), mine])
      return mine.call
    },
    waiting: (): readonly OpenCall[] => [...waiting].map(({ call }) => call),
    be(next: MockPerson) {
      current = next
    },
  }
}

/** Settles like the promise, or rejects when the signal aborts. */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise
  return new Promise<T>((resolve, reject) => {
    const leave = () => reject(signal.reason)
    if (signal.aborted) leave()
    signal.addEventListener('abort', leave)
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  })
}
