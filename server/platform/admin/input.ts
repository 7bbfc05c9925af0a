/** Parses path, query and body of an admin call. Unknown fields are rejected, so that a misspelled one is noticed. */
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { appId as appIdSchema, wireName } from '@latchkey/protocol'
import { type AdminRoute, adminLimits } from '@latchkey/protocol/admin'
import type { Context } from 'hono'
import * as v from 'valibot'
import { AdminError, type UploadedFile } from '../../kernel/http/admin-endpoint.ts'
import { parseJson, parseWire, readBody } from '../../kernel/http/body.ts'

type AnySchema = v.GenericSchema & {
  entries?: Readonly<Record<string, AnySchema>>
  item?: AnySchema
  wrapped?: AnySchema
}

/** The form of ids without a schema of their own. */
const idSchema = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,64}$/))
const paramSchemas: Readonly<Record<string, v.GenericSchema>> = {
  app: appIdSchema,
  requester: v.pipe(v.string(), v.regex(/^[A-Za-z0-9._-]{1,64}$/)),
}

export function parseParams(params: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  for (const [name, value] of Object.entries(params)) {
    if (!v.is(paramSchemas[name] ?? idSchema, value)) {
      throw new AdminError('invalid_data', 'This is no id', { path: name })
    }
  }
  return params
}

export function parseQuery({ query }: AdminRoute, c: Context): unknown {
  const fields = new URL(c.req.url).searchParams
  for (const name of fields.keys()) {
    if (fields.getAll(name).length > 1)
      throw new AdminError('invalid_data', 'This parameter is repeated', { path: name })
  }
  const values = Object.fromEntries(fields)
  rejectUnknown(query, values)
  return query && parseWire(query, values)
}

/** Returns the text of the body too, which identifies a repeated request. */
export async function parseBody(
  { body, maxBodyBytes = adminLimits.maxBodyBytes }: AdminRoute,
  c: Context,
): Promise<{ text: string; value: unknown }> {
  if (body === undefined) {
    const length = c.req.header('content-length')
    if ((length !== undefined && length !== '0') || c.req.header('transfer-encoding') !== undefined) {
      throw new AdminError('invalid_data', 'This call has no body', { path: '' })
    }
    return { text: '', value: undefined }
  }
  const text = await readBody(c, 'application/json', maxBodyBytes)
  const wire = parseJson(text)
  rejectUnknown(body, wire)
  return { text, value: parseWire(body, wire) }
}

/** Opens the body as a file. The limit holds for the sent bytes and for the inflated ones. */
export function openUpload(mediaTypes: Readonly<string[]>, c: Context): UploadedFile {
  const [type = ''] = (c.req.header('content-type') ?? '').toLowerCase().split(';')
  const mediaType = type.trim()
  if (!mediaTypes.includes(mediaType)) {
    throw new AdminError('unsupported_media_type', `The body must be ${mediaTypes.join(' or ')}`)
  }
  const encoding = c.req.header('content-encoding') ?? 'identity'
  if (encoding !== 'identity' && encoding !== 'gzip') {
    throw new AdminError('unsupported_media_type', 'The body may be compressed by gzip only')
  }
  if (Number(c.req.header('content-length') ?? 0) > adminLimits.maxPartBytes) throw tooLarge()
  const sent = limitBytes(readBytes(c.req.raw.body ?? new Blob([]).stream()))
  return { mediaType, chunks: encoding === 'gzip' ? limitBytes(inflate(sent)) : sent }
}

/** A client that disconnects is no server error. */
async function* readBytes(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body
  } catch (cause) {
    throw new AdminError('invalid_data', 'The body is incomplete', { path: '', cause })
  }
}

async function* limitBytes(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.byteLength
    if (bytes > adminLimits.maxPartBytes) throw tooLarge()
    yield chunk
  }
}

/** Inflates while it is read, so that a small body cannot fill the memory. */
async function* inflate(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const source = Readable.from(chunks)
  const gunzip = createGunzip()
  source.once('error', (error) => gunzip.destroy(error))
  try {
    yield* source.pipe(gunzip)
  } catch (cause) {
    if (cause instanceof AdminError) throw cause
    throw new AdminError('invalid_data', 'The body is no gzip file', { path: '', cause })
  } finally {
    source.destroy()
    gunzip.destroy()
  }
}

const tooLarge = () =>
  new AdminError('payload_too_large', `A part has at most ${adminLimits.maxPartBytes} bytes, also inflated`)

function rejectUnknown(schema: AnySchema | undefined, wire: unknown, path: string[] = []): void {
  if (schema?.wrapped) {
    rejectUnknown(schema.wrapped, wire, path)
    return
  }
  const isClosed = schema === undefined || schema.entries !== undefined
  if (!isClosed || typeof wire !== 'object' || wire === null || Array.isArray(wire)) return
  const fields = new Map(
    Object.entries(schema?.entries ?? {}).map(([name, field]) => [wireName(name, field), field]),
  )
  for (const [name, value] of Object.entries(wire)) {
    const field = fields.get(name)
    if (field === undefined) {
      throw new AdminError('invalid_data', 'There is no such field', { path: [...path, name].join('.') })
    }
    rejectUnknown(field, value, [...path, name])
  }
}
