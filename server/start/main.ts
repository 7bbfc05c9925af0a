/**
 * Starts the server of the environment, and ends it when asked: SIGTERM, as balancers' machines send it, serves on for
 * a while; SIGINT, from a keyboard, does not, and neither does a second signal.
 */

import { ConfigError } from '../kernel/config.ts'
import { isUnavailable } from '../kernel/db/failures.ts'
import { MasterKeyError } from '../kernel/keys/master-key.ts'
import { capabilities } from './capabilities.ts'
import { startServer } from './server.ts'

try {
  const clock = { nowMs: Date.now }
  const { drain, end } = await startServer({ environment: process.env, capabilities, clock })
  process.once('SIGTERM', () => {
    process.once('SIGTERM', end)
    void drain()
  })
  process.once('SIGINT', end)
} catch (error) {
  const isRefusal = error instanceof ConfigError || error instanceof MasterKeyError
  process.stderr.write(isRefusal ? `The server cannot start.\n${error.message}\n` : `${describe(error)}\n`)
  process.exit(1)
}

function describe(error: unknown): string {
  if (isUnavailable(error)) return 'The server cannot start.\nThe database of DATABASE_URL does not answer.'
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
