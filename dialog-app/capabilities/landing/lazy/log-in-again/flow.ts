/**
 * Logs the user in again if their session has no device key in this browser, and therefore no wallet. Either the login
 * was too quick for the wallet, or the browser cleared its storage. The wallet call then continues on the same card.
 * After a login with an account that is too new for the wallet, the user logs in with an older account.
 */
import { LatchkeyError, type LinkedAccount, type UserRecord } from '@latchkey/protocol'
import type { CapabilityPorts } from '../../../../contract/capability.ts'
import type { LogInAgain } from '../../../../contract/login.ts'
import type { Flow } from '../../../../flow/flow.ts'
import { requireUser } from '../../../../host/require-user.ts'
import type { Remedy } from '../../../../wallet/wallet-obstacles.ts'
import { createLoginFlow, type Entrance } from '../../login-flow.ts'
import { logInAgainScreen, logInOtherwiseScreen } from './screens.ts'

export function logInAgainFor(ports: CapabilityPorts) {
  const logInAgain: LogInAgain = async (card, which) => {
    const userBefore = await requireUser(ports, { signal: card.signal })
    const accounts = userBefore.linkedAccounts.filter(which.isOne)
    const userAfter = await card.interrupt(flow(ports, entranceFor(ports, accounts, which.because)))
    if (userAfter.id === userBefore.id) return
    throw new LatchkeyError('embedded_wallet_not_found', 'Another user has logged in')
  }
  const remedy: Remedy = {
    obstacle: 'device_not_bound',
    helps: () => true,
    async overcome(call, callWallet) {
      await logInAgain(call.card, { because: 'device', isOne: () => true })
      return callWallet(call)
    },
  }
  return { logInAgain, remedy }
}

const flow =
  (ports: CapabilityPorts, entrance: Entrance<UserRecord>): Flow<UserRecord> =>
  (handle) =>
    createLoginFlow(ports, entrance, handle)

const screens = { device: logInAgainScreen, 'too new': logInOtherwiseScreen } as const

const entranceFor = (
  { load: loadCode }: CapabilityPorts,
  accounts: readonly LinkedAccount[],
  because: keyof typeof screens,
): Entrance<UserRecord> => ({
  screen: screens[because],
  async again(offered) {
    const codes = await Promise.all(offered.map(({ load }) => loadCode(load)))
    const own = offered.filter((_, at) =>
      accounts.some((each) => codes[at]?.account.idOf(each) !== undefined),
    )
    return own.length > 0 ? own : offered
  },
  start: (code, progress) => code.start(progress),
  // Steps ran after the first login, or run after the next one.
  steps: () => [],
  result: (login) => login.user,
})
