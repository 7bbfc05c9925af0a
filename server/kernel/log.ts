/**
 * Lines of JSON without personal data: what is logged is named field by field, and there is no field for
 * bodies, tokens, codes, addresses or queries. Errors are logged by type, code and stack, whose first line
 * (the message) may quote a value and is left out. A line that is written during a call names its request id and app.
 */
import { type Logger, pino } from 'pino'
import type { ServerConfig } from './config.ts'
import { logLimits } from './limits.ts'
import { fieldsOfCall } from './telemetry/current-call.ts'

const serializers = { error: loggedError, err: loggedError, why: loggedReason, reason: loggedReason }
const warnLevel = pino.levels.values.warn ?? 0

/**
 * Lines are written together, a moment later: one at a time they cost a call more than it takes to make them. What
 * warns is written at once. A process that is killed loses what it said last and had no time to write.
 */
export function createLog(level: ServerConfig['logLevel']): Logger {
  const options = { level, base: null, serializers, mixin: fieldsOfCall }
  if (level === 'silent') return pino(options)
  const destination = pino.destination({ sync: false, minLength: logLimits.bufferedBytes })
  setInterval(() => destination.flush(), logLimits.flushMs).unref()
  process.once('exit', () => destination.flushSync())
  return pino(
    {
      ...options,
      hooks: {
        logMethod(parts, write, lineLevel) {
          write.apply(this, parts)
          if (lineLevel >= warnLevel) destination.flush()
        },
      },
    },
    destination,
  )
}

const longestReason = 200

/**
 * What somebody outside said, or a library that they failed: it may quote what they were sent, a signature or a token.
 * Whatever is as long as one of those is left out, and so is all but the first line.
 */
export function loggedReason(reason: unknown): unknown {
  if (typeof reason !== 'string') return { type: typeof reason }
  const [line = ''] = reason.split('\n')
  return line
    .replace(/\bhttps?:\/\/\S+/g, '(address)')
    .replace(/[A-Za-z0-9+/_=-]{24,}/g, '(left out)')
    .slice(0, longestReason)
}

function loggedError(error: unknown): Readonly<Record<string, unknown>> {
  if (!(error instanceof Error)) return { type: typeof error }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  return {
    type: error.name,
    ...(code !== undefined && { code }),
    at: frames.slice(0, 12).map((line) => line.trim().slice('at '.length)),
    ...(error.cause !== undefined && { cause: loggedError(error.cause) }),
  }
}
