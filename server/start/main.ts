/**
 * Starts the server and shuts it down on signals. SIGTERM, which orchestrators send, drains first. SIGINT and a second
 * signal end it immediately.
 */

import { ConfigError } from '../kernel/config.ts'
import { MasterKeyError } from '../kernel/keys/master-key.ts'
import { capabilities } from './capabilities.ts'
import { hintFor } from './operator-hints.ts'
import { listVariables, missingVariables } from './required.ts'
import { type RunningServer, startServer } from './server.ts'
import { describeUnknownVariable, unknownVariables } from './unknown-variables.ts'

/** The exit codes by which shells report a program that a signal ended. */
const endedBy = { SIGINT: 130, SIGTERM: 143 } as const

let server: RunningServer | undefined
// Registered before the server logs that it listens, so that a signal right after that line is handled.
process.once('SIGTERM', () => {
  if (!server) process.exit(endedBy.SIGTERM)
  process.once('SIGTERM', server.end)
  void server.drain()
})
process.once('SIGINT', () => {
  if (!server) process.exit(endedBy.SIGINT)
  void server.end()
})

try {
  refuseMissingVariables()
  const clock = { nowMs: Date.now }
  server = await startServer({ environment: process.env, capabilities, clock })
} catch (error) {
  const isRefusal = error instanceof ConfigError || error instanceof MasterKeyError
  const reason = isRefusal ? error.message : hintFor(error)
  process.stderr.write(
    reason === undefined ? `${describe(error)}\n` : `The server cannot start.\n${reason}\n`,
  )
  process.exit(1)
}

function refuseMissingVariables(): void {
  const missing = missingVariables(process.env)
  if (missing.length === 0) return
  const misspelled = unknownVariables(process.env).map(describeUnknownVariable)
  throw new ConfigError(
    [
      'These variables are missing:',
      listVariables(missing),
      ...misspelled,
      'Every variable: docs/reference/environment.md. To try Latchkey on this machine alone: npm start',
    ].join('\n'),
  )
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
