/** JSON in: small enough, of the right type, and what the schema says. */
import { apiLimits, fromWire, LatchkeyError } from '@latchkey/protocol'
import type { Context } from 'hono'
import * as v from 'valibot'
import { wirePath } from './wire-path.ts'

export async function readBody(http: Context): Promise<string> {
  const [type = ''] = (http.req.header('content-type') ?? '').split(';')
  if (type.trim().toLowerCase() !== 'application/json') {
    throw new LatchkeyError('unsupported_media_type', 'The body must be application/json')
  }
  const length = http.req.header('content-length')
  // Node holds a body to the length that was announced; one without is counted as it comes.
  if (length !== undefined) {
    if (Number(length) > apiLimits.maxBodyBytes) throw tooLarge()
    return http.req.text()
  }
  const { body } = http.req.raw
  if (!body) return ''
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.byteLength
    if (bytes > apiLimits.maxBodyBytes) throw tooLarge()
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

const tooLarge = () =>
  new LatchkeyError('payload_too_large', `A body may have at most ${apiLimits.maxBodyBytes} bytes`)

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new LatchkeyError('invalid_data', 'The body is not JSON', { details: { path: '' }, cause })
  }
}

export function parseWire(schema: v.GenericSchema, wire: unknown): unknown {
  const parsed = v.safeParse(schema, fromWire(schema, wire))
  if (parsed.success) return parsed.output
  const [issue] = parsed.issues
  // The message of the schema may quote what was sent, which is nothing for logs or screens.
  throw new LatchkeyError('invalid_data', sentenceFor(issue), { details: { path: wirePath(schema, issue) } })
}

const sentenceFor = (issue: v.BaseIssue<unknown>) =>
  issue.received === 'undefined' ? 'Something is missing' : 'Something is not as it should be'
