/** Records the messages between windows and workers, to search them for secrets. */

/** Serializes any message to text, bytes included. */
export const asText = `(data) => {
  const seen = new Set()
  return JSON.stringify(data, (_, value) => {
    if (typeof value === 'bigint') return String(value)
    if (ArrayBuffer.isView(value)) return Array.from(value)
    if (value instanceof ArrayBuffer) return Array.from(new Uint8Array(value))
    if (typeof value === 'object' && value !== null) { if (seen.has(value)) return null; seen.add(value) }
    return value
  }) ?? ''
}`

/**
 * A script for every document: reports each message that it sends or receives through windows, ports, workers
 * and channels to `__record(where, text)`.
 */
export const recordMessages = `{
  const asText = ${asText}
  const record = (how, data) => { try { self.__record?.(how + ' ' + location.origin, asText(data)) } catch {} }
  for (const prototype of [MessagePort.prototype, Worker.prototype, BroadcastChannel.prototype]) {
    const { postMessage } = prototype
    prototype.postMessage = function (data, ...rest) {
      record('sent by', data)
      return postMessage.call(this, data, ...rest)
    }
  }
  const { start } = MessagePort.prototype
  MessagePort.prototype.start = function () {
    this.addEventListener('message', (event) => record('heard by', event.data))
    return start.call(this)
  }
  addEventListener('message', (event) => record('heard by', event.data), true)
}
`

/**
 * Base64 encodes bytes differently at each of three offsets, and the first and last letters depend on
 * neighboring bytes.
 */
const inBase64 = (bytes: Uint8Array, encoding: 'base64' | 'base64url') =>
  [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString(encoding)
      .replace(/=+$/, '')
    return text.slice(before === 0 ? 0 : before + 1, (bytes.length + before) % 3 === 0 ? undefined : -1)
  })

export const forms = (bytes: Uint8Array): readonly string[] => [
  Buffer.from(bytes).toString('hex'),
  ...new Set([...inBase64(bytes, 'base64'), ...inBase64(bytes, 'base64url')]),
  JSON.stringify([...bytes]).slice(1, -1),
]
