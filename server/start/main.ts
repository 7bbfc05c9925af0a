/**
 * Starts the server of the environment, and ends it when asked: SIGTERM, as balancers' machines send it, serves on for
 * a while; SIGINT, from a keyboard, does not, and neither does a second signal.
 */

import { ConfigError } from '../kernel/config.ts'
import { isUnavailable } from '../kernel/db/failures.ts'
import { MasterKeyError } from '../kernel/keys/master-key.ts'
import { capabilities } from './capabilities.ts'
import { type RunningServer, startServer } from './server.ts'

/** The exit codes with which a shell reports a program that a signal ended. */
const endedBy = { SIGINT: 130, SIGTERM: 143 } as const

let server: RunningServer | undefined
// Before it says that it is listening, so that whoever reads this and signals finds these.
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
  const clock = { nowMs: Date.now }
  server = await startServer({ environment: process.env, capabilities, clock })
} catch (error) {
  const isRefusal = error instanceof ConfigError || error instanceof MasterKeyError
  process.stderr.write(isRefusal ? `The server cannot start.\n${error.message}\n` : `${describe(error)}\n`)
  process.exit(1)
}

function describe(error: unknown): string {
  if (isUnavailable(error)) return 'The server cannot start.\nThe database of DATABASE_URL does not answer.'
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
