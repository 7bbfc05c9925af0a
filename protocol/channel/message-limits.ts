/** What a message may look like before any schema sees it: plain data, not deep, not big, not cyclic. */
import { LatchkeyError } from '../errors/errors.ts'
import { channelLimits } from '../limits/limits.ts'

const encoder = new TextEncoder()
const NODE_BYTES = 8

/** Throws when the value is no plain data or is over a limit. A cycle ends at the depth, a lattice at the size. */
export function assertPlainMessage(value: unknown, maxBytes: number = channelLimits.maxMessageBytes): void {
  let left = maxBytes
  const spend = (bytes: number) => {
    left -= bytes
    if (left < 0) throw new LatchkeyError('message_too_large', `A message may have at most ${maxBytes} bytes`)
  }
  const visit = (node: unknown, depth: number): void => {
    if (depth > channelLimits.maxDepth) {
      throw new LatchkeyError(
        'message_too_large',
        `A message may be at most ${channelLimits.maxDepth} levels deep`,
      )
    }
    spend(NODE_BYTES)
    switch (typeof node) {
      case 'string':
        spend(node.length)
        spend(encoder.encode(node).length - node.length)
        return
      case 'bigint':
        spend(node.toString(16).length / 2)
        return
      case 'number':
      case 'boolean':
      case 'undefined':
        return
      case 'object':
        break
      default:
        throw notPlain()
    }
    if (node === null) return
    if (Array.isArray(node)) {
      for (const item of node) visit(item, depth + 1)
      return
    }
    const prototype: unknown = Object.getPrototypeOf(node)
    // A cloned object has this realm's prototype; anything else is a Map, a Date, a buffer, or worse.
    if (prototype !== Object.prototype && prototype !== null) throw notPlain()
    for (const [key, item] of Object.entries(node)) {
      spend(key.length)
      visit(item, depth + 1)
    }
  }
  visit(value, 0)
}

const notPlain = () => new LatchkeyError('invalid_message_envelope', 'A message carries plain data only')
