/** Starts the server with the guest capability and a clock that a test may set ahead. */
import { capabilities } from '../start/capabilities.ts'
import { startServer } from '../start/server.ts'
import { guestCapability } from './guest-capability.ts'

const aheadMs = Number(process.env.CLOCK_AHEAD_SECONDS ?? 0) * 1_000

await startServer({
  environment: process.env,
  capabilities: [...capabilities, guestCapability()],
  clock: { nowMs: () => Date.now() + aheadMs },
})
