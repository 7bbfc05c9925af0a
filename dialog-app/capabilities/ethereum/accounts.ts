/** The accounts that the provider exposes to the host page. */
import {
  findEmbeddedWallet,
  isSameAddress,
  LatchkeyError,
  needsWallet,
  type UserRecord,
} from '@latchkey/protocol'
import { asHex, type Hex } from '../../browser/hex.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import type { HostCallContext } from '../../host/host-calls.ts'
import { createOnLogin, mustAcceptTerms, requiresRecoveryChoice } from '../../host/settings.ts'

export type Accounts = {
  /** Returns the accounts of the user. Empty for visitors, and until the user accepts the terms. */
  list: (caller: HostCallContext) => Promise<readonly Hex[]>
  /** Logs the user in first, and creates the wallet if the app creates one on login. */
  request: (caller: HostCallContext) => Promise<readonly Hex[]>
}

export function createAccounts(ports: CapabilityPorts): Accounts {
  const { session, settings, logIn, callByName } = ports

  async function currentUser(caller: HostCallContext): Promise<UserRecord | undefined> {
    const user = await session.user(caller)
    return user && !mustAcceptTerms(settings(), user) ? user : undefined
  }
  async function list(caller: HostCallContext) {
    const user = await currentUser(caller)
    return user ? getAccounts(user) : []
  }
  async function makeWallet(caller: HostCallContext) {
    // If the user must choose a recovery method, that flow also creates the wallet.
    if (requiresRecoveryChoice(settings())) await callByName('setWalletRecovery', {}, caller)
    else await callByName('createWallet', {}, caller)
  }

  return {
    list,
    async request(caller) {
      if (!(await currentUser(caller))) await logIn(caller)
      const user = await currentUser(caller)
      if (user && getAccounts(user).length === 0 && needsWallet(createOnLogin(settings()), user)) {
        await makeWallet(caller)
      }
      const accounts = await list(caller)
      if (accounts.length > 0) return accounts
      throw new LatchkeyError('embedded_wallet_not_found', 'The user has no wallet, and this app makes none')
    },
  }
}

/** Creates the accounts of a linked wallet from another app. */
export function createLinkedAccounts(ports: CapabilityPorts, address: string): Accounts {
  const { session, settings, logIn, connectedWallets } = ports
  async function list(caller: HostCallContext) {
    const user = await session.user(caller)
    if (!user || mustAcceptTerms(settings(), user)) return []
    const isLinked = user.linkedAccounts.some(
      (account) =>
        account.type === 'cross_app' &&
        account.embeddedWallets.some((wallet) => isSameAddress(wallet.address, address)),
    )
    return isLinked ? [asHex(address)] : []
  }
  return {
    list,
    async request(caller) {
      if (!(await session.user(caller))) await logIn(caller)
      // Rejects with the reason if the wallet is not linked or cannot sign.
      await connectedWallets.find(address, caller)
      return list(caller)
    },
  }
}

function getAccounts(user: UserRecord): readonly Hex[] {
  const wallet = findEmbeddedWallet(user)
  return wallet ? [asHex(wallet.address)] : []
}
