/** Limits of a message, checked before any schema: plain data of bounded depth and size, without cycles. */
import { LatchkeyError } from '../errors/errors.ts'
import { channelLimits } from '../limits/limits.ts'

const encoder = new TextEncoder()
const NODE_BYTES = 8

/** Throws if the value is not plain data or exceeds a limit. A cycle exceeds the depth, a shared graph the size. */
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
        throw createNotPlainError()
    }
    if (node === null) return
    if (Array.isArray(node)) {
      for (const item of node) visit(item, depth + 1)
      return
    }
    const prototype: unknown = Object.getPrototypeOf(node)
    // Cloned plain objects have this realm's prototype. Others are maps, dates, buffers or exotic objects.
    if (prototype !== Object.prototype && prototype !== null) throw createNotPlainError()
    for (const [key, item] of Object.entries(node)) {
      spend(key.length)
      visit(item, depth + 1)
    }
  }
  visit(value, 0)
}

const createNotPlainError = () =>
  new LatchkeyError('invalid_message_envelope', 'A message may only contain plain data')
