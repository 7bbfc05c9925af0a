/**
 * A wallet for the page, by whichever way its user likes: one that they bring is connected and no more, and whoever logs
 * in gets one that is kept here. The choices are those of LANDING.
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

/** A user who logged in by a wallet has one, which only has to be connected. */
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
  result: ({ user }) => ({ wallet: walletOf(user) }),
})

/** Whoever asked waits for the wallet, so nothing of it is made up for later. */
const forWallet = ({ catchUp: _, isDue, ...step }: AfterLoginStep): AfterLoginStep => ({
  ...step,
  isDue: (user) => isDue(user, true),
})

/** The last step: where the app has its users choose how a wallet is kept, none was made. */
const lackOfWallet: AfterLoginStep = {
  isDue: (user) => findEmbeddedWallet(user) === undefined,
  run: () => Promise.reject(noWallet()),
}
const noWallet = () => new LatchkeyError('embedded_wallet_not_found', 'This login made no wallet')

function walletOf(user: UserRecord): ConnectedWallet {
  const wallet = findEmbeddedWallet(user)
  if (!wallet) throw noWallet()
  return wallet
}
