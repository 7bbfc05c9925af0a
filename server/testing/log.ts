/** A log whose lines a test reads. */
import { type Logger, pino } from 'pino'
import { fieldsOfCall } from '../kernel/telemetry/current-call.ts'

type ListeningLog = {
  readonly log: Logger
  /** Warnings, and what is worse. */
  readonly logged: () => readonly unknown[]
  /** All of it, as it is written where an operator wants the most. */
  readonly everyLine: () => string
}

export function listeningLog(): ListeningLog {
  const lines: string[] = []
  const log = pino(
    { level: 'trace', base: null, mixin: fieldsOfCall },
    { write: (line: string) => lines.push(line) },
  )
  const { warn } = log.levels.values
  return {
    log,
    logged: () => lines.map((line) => JSON.parse(line)).filter(({ level }) => level >= (warn ?? 0)),
    everyLine: () => lines.join(''),
  }
}
