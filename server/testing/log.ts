/** A log whose lines a test reads. */
import { type Logger, pino } from 'pino'

export function listeningLog(): { readonly log: Logger; readonly logged: () => readonly unknown[] } {
  const lines: string[] = []
  const log = pino({ level: 'warn', base: null }, { write: (line: string) => lines.push(line) })
  return { log, logged: () => lines.map((line) => JSON.parse(line)) }
}
