/**
 * Lines of JSON without personal data: what is logged is named field by field, and there is no field for
 * bodies, tokens, codes, addresses or queries. Errors are logged by type, code and stack, whose first line
 * (the message) may quote a value and is left out.
 */
import { type Logger, pino } from 'pino'
import type { ServerConfig } from './config.ts'

export const createLog = (level: ServerConfig['logLevel']): Logger =>
  pino({ level, base: null, serializers: { error: loggedError } })

export function loggedError(error: unknown): Readonly<Record<string, unknown>> {
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
