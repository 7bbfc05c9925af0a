/**
 * Provides a wallet for the page, with the choices of LANDING. An external wallet is connected without a login. A login
 * creates an embedded wallet.
 */
import {
  type ConnectedWallet,
  dialogLimits,
  findEmbeddedWallet,
  LatchkeyError,
  type UserRecord,
} from '@latchkey/protocol'
import { type HostCallAnswer, landingCalls } from '@latchkey/protocol/host'
import type { CapabilityPorts } from '../../../../contract/capability.ts'
import type { AfterLoginStep } from '../../../../contract/login.ts'
import { done } from '../../../../flow/flow.ts'
import type { ServedHostCalls } from '../../../../host/host-calls.ts'
import { createLogin } from '../../login.ts'
import type { Entrance } from '../../login-flow.ts'
import { connectOrCreateScreen } from './screens.ts'

export function createConnectOrCreate(ports: CapabilityPorts): ServedHostCalls<keyof typeof landingCalls> {
  const { session, callByName } = ports
  const { logIn } = createLogin(ports, entrance(ports))
  return {
    rows: landingCalls,
    handlers: {
      async connectOrCreateWallet(_data, caller) {
        const user = await session.user(caller)
        return user && bringsOwn(user) ? callByName('connectWallet', {}, caller) : logIn(caller)
      },
    },
  }
}

/** Returns whether the user has only external wallets, which have to be connected instead of created. */
const bringsOwn = (user: UserRecord) =>
  findEmbeddedWallet(user) === undefined &&
  user.linkedAccounts.some((account) => account.type === 'wallet' && account.connectorType !== 'embedded')

const entrance = ({ afterLogin }: CapabilityPorts): Entrance<HostCallAnswer<'connectOrCreateWallet'>> => ({
  screen: connectOrCreateScreen,
  start: (code, progress, handle) =>
    code.connect?.({
      ...progress,
      chosen() {},
      connected(wallet) {
        handle.settle(done({ wallet }))
        handle.hold(dialogLimits.successCloseMs).then(() => handle.end())
      },
    }) ?? code.start(progress),
  steps: () => [...afterLogin().map(forWallet), lackOfWallet],
  result: ({ user }) => ({ wallet: toConnectedWallet(user) }),
})

/** Makes a step due now, because the caller waits for the wallet. It cannot be deferred to a later visit. */
const forWallet = ({ catchUp: _, isDue, ...step }: AfterLoginStep): AfterLoginStep => ({
  ...step,
  isDue: (user) => isDue(user, true),
})

/** The last step. Rejects if no earlier step created a wallet. */
const lackOfWallet: AfterLoginStep = {
  isDue: (user) => findEmbeddedWallet(user) === undefined,
  run: () => Promise.reject(noWallet()),
}
const noWallet = () => new LatchkeyError('embedded_wallet_not_found', 'This login made no wallet')

function toConnectedWallet(user: UserRecord): ConnectedWallet {
  const wallet = findEmbeddedWallet(user)
  if (!wallet) throw noWallet()
  return wallet
}
