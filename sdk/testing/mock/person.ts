/** The user of the mock: what they do when they are asked, or what the test does in their place. */
import { type ErrorCode, LatchkeyError } from '@latchkey/loader'
import { getRefusal } from '@latchkey/loader/fake'
import type { CallName, MockPerson, OpenCall, RecordedCall } from './types.ts'

type Outcome =
  | { type: 'approved'; changes: object }
  | { type: 'refused' }
  | { type: 'failed'; error: LatchkeyError }

/** A call that somebody asks for, before it is known how it ends. */
export type Question = {
  name: CallName
  call: RecordedCall
  /** A card is shown for it. */
  isForUser: boolean
  signal: AbortSignal | undefined
}

type Open = {
  call: OpenCall
  outcome: Promise<Outcome>
  begin: (call: RecordedCall) => void
  end: () => void
}

/** `Promise.withResolvers` is not in every Node that runs tests. */
function deferred<T>() {
  let resolve: (value: T) => void = () => {}
  const promise = new Promise<T>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}

const messageOf = { refused: 'The user closed it', failed: 'The test failed this call' } as const

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
          throw new TypeError(`${name}() asks nobody, so nobody can refuse it: use fail() with a code`)
        return settle({ type: 'refused' })
      },
      fail: (code: ErrorCode, message: string = messageOf.failed) =>
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

  /** A call that the test settles; undefined for one that ends by itself. */
  function openFor({ name, isForUser }: Question): Open | undefined {
    return planned.get(name)?.shift() ?? (isForUser && current === 'waits' ? open(name) : undefined)
  }
  const ownOutcome = ({ isForUser }: Question): Outcome =>
    isForUser && current === 'refuses' ? { type: 'refused' } : { type: 'approved', changes: {} }

  return {
    /** Does what was asked once it is approved, with what the test changes of the answer, while the card is there. */
    async decide<Answer>(question: Question, run: (changes: object) => Answer): Promise<Awaited<Answer>> {
      const { name, call, isForUser, signal } = question
      if (isForUser && ++cards === 1) card.show()
      const held = openFor(question)
      if (held) waiting.add(held)
      try {
        // Who hears that the card is there may take the call back at once.
        if (signal?.aborted) throw signal.reason
        held?.begin(call)
        const outcome = held ? await untilAborted(held.outcome, signal) : ownOutcome(question)
        switch (outcome.type) {
          case 'approved':
            return await run(outcome.changes)
          case 'refused':
            throw new LatchkeyError(getRefusal(name) ?? 'user_rejected_request', messageOf.refused)
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

/** Whoever takes a call back ends it for the user too. */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise
  return new Promise<T>((resolve, reject) => {
    const leave = () => reject(signal.reason)
    if (signal.aborted) leave()
    signal.addEventListener('abort', leave)
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  })
}
