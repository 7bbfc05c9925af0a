/** Parsing of requests: media type, size and schema. */

import { fromWire, LatchkeyError, serverLimits, wireName } from '@latchkey/protocol'
import type { Context } from 'hono'
import * as v from 'valibot'

export type MediaType = 'application/json' | 'application/x-www-form-urlencoded'

export async function readBody(
  c: Context,
  mediaType: MediaType,
  maxBytes: number = serverLimits.maxBodyBytes,
): Promise<string> {
  const [type = ''] = (c.req.header('content-type') ?? '').split(';')
  if (type.trim().toLowerCase() !== mediaType) {
    throw new LatchkeyError('unsupported_media_type', `The body must be ${mediaType}`)
  }
  const length = c.req.header('content-length')
  // Node enforces the declared length; a body without one is counted while it is read.
  if (length !== undefined) {
    if (Number(length) > maxBytes) throw tooLarge(maxBytes)
    return c.req.text().catch(throwIncomplete)
  }
  const { body } = c.req.raw
  if (!body) return ''
  const text = await textWithin(body, maxBytes).catch(throwIncomplete)
  if (text === undefined) throw tooLarge(maxBytes)
  return text
}

/** Returns undefined if the body is longer than `maxBytes`. */
async function textWithin(body: ReadableStream<Uint8Array>, maxBytes: number): Promise<string | undefined> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.byteLength
    if (bytes > maxBytes) return undefined
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

/** The client disconnected; this is no server error. */
function throwIncomplete(cause: unknown): never {
  throw new LatchkeyError('invalid_data', 'The body is incomplete', { details: { path: '' }, cause })
}

const tooLarge = (maxBytes: number) =>
  new LatchkeyError('payload_too_large', `A body may have at most ${maxBytes} bytes`)

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new LatchkeyError('invalid_data', 'The body is not JSON', { details: { path: '' }, cause })
  }
}

/** Parses a body with wire names. Errors name the path in wire names. */
export const parseWire = (schema: v.GenericSchema, wire: unknown): unknown =>
  parsed(schema, fromWire(schema, wire), (issue) => wirePath(schema, issue))

/** Parses fields without renaming them, such as those of a form post. */
export const parseFields = <Output>(schema: v.GenericSchema<unknown, Output>, fields: unknown): Output =>
  parsed(schema, fields, (issue) => v.getDotPath(issue) ?? '')

function parsed<Output>(
  schema: v.GenericSchema<unknown, Output>,
  value: unknown,
  pathOf: (issue: v.BaseIssue<unknown>) => string,
): Output {
  const result = v.safeParse(schema, value)
  if (result.success) return result.output
  const [issue] = result.issues
  // The schema's message may quote the input, which must not reach logs or screens.
  throw new LatchkeyError('invalid_data', sentenceFor(issue), { details: { path: pathOf(issue) } })
}

const sentenceFor = (issue: v.BaseIssue<unknown>) =>
  issue.received === 'undefined' ? 'Something is missing' : 'Something is not as it should be'

type AnySchema = v.BaseSchema<unknown, unknown, v.BaseIssue<unknown>> & {
  entries?: Readonly<Record<string, AnySchema>>
  item?: AnySchema
  wrapped?: AnySchema
  options?: readonly AnySchema[]
}

/** Returns the path of an issue in wire names. */
function wirePath(schema: AnySchema, issue: v.BaseIssue<unknown>): string {
  const keys = (issue.path ?? []).map((item) => item.key)
  const names: string[] = []
  let at: AnySchema | undefined = schema
  for (const key of keys) {
    const holder = findHolder(at, key)
    const inner: AnySchema | undefined =
      typeof key === 'number' ? holder?.item : holder?.entries?.[String(key)]
    names.push(inner && typeof key === 'string' ? wireName(key, inner) : String(key))
    at = inner
  }
  return names.join('.')
}

/** Returns the schema that contains the key: unwraps wrappers and selects the matching option. */
function findHolder(schema: AnySchema | undefined, key: unknown): AnySchema | undefined {
  if (!schema) return undefined
  if (schema.wrapped) return findHolder(schema.wrapped, key)
  if (schema.options) {
    const holders = schema.options.map((option) => findHolder(option, key))
    return holders.find(
      (holder) => holder?.item !== undefined || Object.hasOwn(holder?.entries ?? {}, String(key)),
    )
  }
  return schema
}
