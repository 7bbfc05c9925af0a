/** Which account a page may ask things of, and how it comes to one. */
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
  /** Of whoever is logged in, and has accepted the terms. */
  list: (caller: HostCallContext) => Promise<readonly Hex[]>
  /** With a login, and a wallet where this app makes one. */
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
    return user ? accountsOf(user) : []
  }
  async function makeWallet(caller: HostCallContext) {
    // Where its user says how a wallet is kept, it is made with their choice.
    if (requiresRecoveryChoice(settings())) await callByName('setWalletRecovery', {}, caller)
    else await callByName('createWallet', {}, caller)
  }

  return {
    list,
    async request(caller) {
      if (!(await currentUser(caller))) await logIn(caller)
      const user = await currentUser(caller)
      if (user && accountsOf(user).length === 0 && needsWallet(createOnLogin(settings()), user)) {
        await makeWallet(caller)
      }
      const accounts = await list(caller)
      if (accounts.length > 0) return accounts
      throw new LatchkeyError('embedded_wallet_not_found', 'The user has no wallet, and this app makes none')
    },
  }
}

/** A wallet of another app, which its user has linked. */
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
      // Says why, where it is not the user's, or signs nothing.
      await connectedWallets.find(address, caller)
      return list(caller)
    },
  }
}

function accountsOf(user: UserRecord): readonly Hex[] {
  const wallet = findEmbeddedWallet(user)
  return wallet ? [asHex(wallet.address)] : []
}
