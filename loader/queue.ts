import type { Latchkey } from './latchkey.ts'

/**
 * The other end of the queue stub in the README: calls that a page made before the script arrived.
 *
 * `m` is the method, `a` its arguments, `y` and `n` settle the promise that the page holds. A listener's entry
 * gets its `off`; it was taken back already where `m` is empty.
 */
type QueuedCall = {
  m: string
  a: unknown[]
  y?: (value: unknown) => void
  n?: (error: unknown) => void
  off?: () => void
}
type Stub = { q: QueuedCall[] }

export const isStub = (value: unknown): value is Stub =>
  typeof value === 'object' && value !== null && 'q' in value && Array.isArray(value.q)

/** Turns the stub itself into the handle, so that references that the page kept stay good. */
export function adoptStub(stub: Stub, handle: Latchkey): void {
  const replay = (call: QueuedCall) => {
    const method: unknown = Object.hasOwn(handle, call.m) && Reflect.get(handle, call.m)
    if (typeof method !== 'function') return
    const result: unknown = method(...call.a)
    if (typeof result === 'function') call.off = () => result()
    else Promise.resolve(result).then(call.y, call.n)
  }
  const waiting = stub.q.splice(0)
  // A function taken off the stub still pushes here.
  stub.q.push = (...calls) => {
    for (const call of calls) replay(call)
    return 0
  }
  Object.defineProperties(stub, Object.getOwnPropertyDescriptors(handle))
  for (const call of waiting) replay(call)
}
