/** Ends the session: here at once, at the server as soon as it hears of it. */
import { sessionLimits } from '@latchkey/protocol'
import type { Transport } from '../api/transport.ts'
import type { Clock } from '../ports.ts'
import { wait } from '../waiting.ts'
import type { Credentials } from './credentials.ts'
import type { SessionKeeper } from './kept-session.ts'

export function createLogout(ports: {
  readonly clock: Clock
  readonly transport: Transport
  readonly keeper: SessionKeeper
  readonly credentials: Credentials
  readonly end: () => void
}): () => Promise<void> {
  const { clock, transport, keeper, credentials } = ports
  return async () => {
    const kept = keeper.read()
    const calling = credentials.isSession(kept)
      ? transport.send('logout', credentials.presented(kept), { token: kept.accessToken, keepalive: true })
      : Promise.resolve()
    ports.end()
    await Promise.race([calling.then(nothing, nothing), wait(clock, sessionLimits.logoutWaitMs)])
  }
}

const nothing = () => {}
