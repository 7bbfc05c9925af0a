/**
 * The message format:
 *
 *    request  { v: 1, id, event, data }
 *    answer   { id, event, data }  or  { id, event, error: { type, message, retryAfterSeconds?, details? } }
 *
 * Unknown fields are ignored, because a page may have a loader that is older than its dialog.
 */
import * as v from 'valibot'
import type { ErrorCode } from '../errors/error-codes.ts'
import { LatchkeyError, toLatchkeyError } from '../errors/errors.ts'
import { channelLimits } from '../limits/limits.ts'
import { eventPrefix } from '../names/product.ts'

const requestSchema = v.object({
  v: v.number(),
  id: v.string(),
  event: v.string(),
  data: v.unknown(),
})

const answerSchema = v.object({
  id: v.string(),
  event: v.string(),
  data: v.exactOptional(v.unknown()),
  error: v.exactOptional(
    v.object({
      type: v.string(),
      message: v.string(),
      retryAfterSeconds: v.exactOptional(v.number()),
      details: v.exactOptional(v.unknown()),
    }),
  ),
})
export type Answer = v.InferOutput<typeof answerSchema>

/** Answered by every channel itself. Not part of any contract. */
export const pulseEvent = `${eventPrefix}pulse`
/** `data.id` is the id of the cancelled call. */
export const cancelEvent = `${eventPrefix}cancel`
export const cancelSchema = v.object({ id: v.string() })

export const toEvent = (name: string) => eventPrefix + name
export const toCallName = (event: string) => event.slice(eventPrefix.length)

export const createRequest = (id: string, event: string, data: unknown) => ({
  v: channelLimits.protocolVersion,
  id,
  event,
  data,
})

export function parseRequest(message: unknown) {
  const request = parse(requestSchema, message, 'invalid_message_envelope')
  const { id, event } = request
  // Checked without `pipe` and `regex`, which would add to the loader's bundle.
  if (!id || id.length > channelLimits.maxIdLength || !event.startsWith(eventPrefix)) {
    throw new LatchkeyError('invalid_message_envelope', 'The id or event is invalid')
  }
  const supported = [channelLimits.oldestProtocolVersion, channelLimits.protocolVersion] as const
  if (request.v < supported[0] || request.v > supported[1]) {
    throw new LatchkeyError('unsupported_protocol', `Protocol version ${request.v} is not supported`, {
      details: { supported },
    })
  }
  return request
}

/** Creates an error answer from a code and a message. Stacks, causes and messages of unknown errors are never sent. */
export function createErrorAnswer(id: string, event: string, error: unknown): Answer {
  const failure = toLatchkeyError(error, 'internal_error', 'Something went wrong')
  const { code: type, message, retryAfterSeconds, details } = failure
  return {
    id,
    event,
    error: {
      type,
      message,
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
      ...(details !== undefined && { details }),
    },
  }
}

/** Returns the data of an answer. Throws if it is an error, or belongs to another call. */
export function readAnswer(message: unknown, asked: { id: string; event: string }): unknown {
  const { error, id, event, data } = parse(answerSchema, message, 'invalid_answer')
  if (error) {
    const { type, message: text, ...more } = error
    // The code may be from a later release, so it is passed on unchanged.
    throw new LatchkeyError(type as ErrorCode, text, more)
  }
  if (id !== asked.id || event !== asked.event) {
    throw new LatchkeyError('invalid_answer', 'The answer is for another call')
  }
  return data
}

export function parse<S extends v.BaseSchema<unknown, unknown, v.BaseIssue<unknown>>>(
  schema: S,
  value: unknown,
  code: ErrorCode,
): v.InferOutput<S> {
  const parsed = v.safeParse(schema, value)
  if (parsed.success) return parsed.output
  const [issue] = parsed.issues
  throw new LatchkeyError(code, issue.message, { details: { path: v.getDotPath(issue) ?? '' } })
}
