/**
 * A session without a device here (its login was too quick for the wallet, or the browser gave up what it stored) has
 * no wallet. Its user logs in again with what they have, in the card that asked, and the call goes on.
 */
import { LatchkeyError, type UserRecord } from '@latchkey/protocol'
import type { CapabilityPorts } from '../../core/capability.ts'
import type { Flow } from '../../core/flow.ts'
import type { MethodCode } from '../../core/login.ts'
import { requireUser } from '../../core/require-user.ts'
import type { Remedy } from '../../core/wallet-obstacles.ts'
import { logInAgainScreen } from './later-log-in-again-screens.ts'
import { createLoginFlow, type Entrance } from './login-flow.ts'

export function logInAgainFor(ports: CapabilityPorts): Remedy {
  return {
    obstacle: 'device_not_bound',
    helps: () => true,
    async overcome(call, callWallet) {
      const { card } = call
      const before = await requireUser(ports, { signal: card.signal })
      const after = await card.interrupt(logInAgain(ports, before))
      if (after.id === before.id) return callWallet(call)
      throw new LatchkeyError('embedded_wallet_not_found', 'Another user has logged in')
    },
  }
}

const logInAgain =
  (ports: CapabilityPorts, user: UserRecord): Flow<UserRecord> =>
  (handle) =>
    createLoginFlow(ports, entranceFor(user), handle)

const entranceFor = (user: UserRecord): Entrance<UserRecord> => ({
  record: logInAgainScreen,
  again: ({ account }: MethodCode) => user.linkedAccounts.some((each) => account.idOf(each) !== undefined),
  start: (code, progress) => code.start(progress),
  // What was due after the first login was done then, or is due at the next.
  steps: () => [],
  result: (login) => login.user,
})
