import { LatchkeyError } from '@latchkey/protocol'
import type { Latchkey } from '../calls/latchkey.ts'

/**
 * An entry of the queue stub (`queue-stub.txt`): a call that the page made before the script loaded.
 *
 * `m` is the method or property, `a` its arguments; `y` and `n` settle the promise that the page holds. A
 * listener's entry has neither: it receives its `off`. An empty `m` marks a listener that was already removed.
 */
type Queued = {
  m: string
  a: readonly unknown[]
  y?: (value: unknown) => void
  n?: (error: unknown) => void
  off?: () => void
}
type Stub = { q: Queued[] }

export const isStub = (value: unknown): value is Stub => Array.isArray(Object(value).q)

/** Turns the stub into the handle, so that references that the page holds remain valid. */
export function adoptStub(stub: Stub, handle: Latchkey): void {
  const replay = (queued: Queued) => {
    const { m, a, y, n } = queued
    if (!Object.hasOwn(handle, m)) return n?.(new LatchkeyError('method_not_found', `There is no call ${m}`))
    const member: unknown = Reflect.get(handle, m)
    const result: unknown = typeof member === 'function' ? member(...a) : member
    if (typeof result === 'function') queued.off = () => result()
    else Promise.resolve(result).then(y, n)
  }
  const waiting = stub.q.splice(0)
  // A method that was taken off the stub earlier still pushes to the queue.
  stub.q.push = (...calls) => {
    for (const call of calls) replay(call)
    return 0
  }
  Object.defineProperties(stub, Object.getOwnPropertyDescriptors(handle))
  for (const call of waiting) replay(call)
}
