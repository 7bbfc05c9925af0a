/**
 * JSON logs without personal data: fields are logged by name, and there is none for bodies, tokens, codes, addresses or
 * queries. Errors are logged by type, code and stack; their message is omitted, because it may quote a value. Lines
 * within a call contain its request id and app.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Logger, pino } from 'pino'
import type { ServerConfig } from './config.ts'
import { logLimits } from './limits.ts'
import { getCallFields } from './telemetry/current-call.ts'

const serializers = {
  error: serializeError,
  err: serializeError,
  why: sanitizeReason,
  reason: sanitizeReason,
}
const warnLevel = pino.levels.values.warn ?? 0

/**
 * Creates the logger. Lines are buffered, because writing each one costs more than creating it. Warnings are flushed
 * immediately. A killed process loses its last buffered lines.
 */
export function createLog(level: ServerConfig['logLevel']): Logger {
  const options = { level, base: null, serializers, mixin: getCallFields }
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

/**
 * Writes the buffered lines, and resolves at the latest after a second. Without this, a process never exits if the reader
 * of its log is gone: at the exit, sonic-boom repeats a failed write forever.
 */
export async function flushLog(log: Logger): Promise<void> {
  const flushed = new Promise<void>((resolve) => log.flush(() => resolve()))
  await Promise.race([flushed, sleep(logLimits.lastFlushMs, undefined, { ref: false })])
}

const longestReason = 200

/**
 * Sanitises an error message of a third party or a library. It may quote what was sent, such as a signature or a token.
 * Keeps the first line only, and removes addresses and long words.
 */
export function sanitizeReason(reason: unknown): unknown {
  if (typeof reason !== 'string') return { type: typeof reason }
  const [line = ''] = reason.split('\n')
  return line
    .replace(/\bhttps?:\/\/\S+/g, '(address)')
    .replace(/[A-Za-z0-9+/_=-]{24,}/g, '(left out)')
    .slice(0, longestReason)
}

function serializeError(error: unknown): Readonly<Record<string, unknown>> {
  if (!(error instanceof Error)) return { type: typeof error }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  return {
    type: error.name,
    ...(code !== undefined && { code }),
    at: frames.slice(0, 12).map((line) => line.trim().slice('at '.length)),
    ...(error.cause !== undefined && { cause: serializeError(error.cause) }),
  }
}
