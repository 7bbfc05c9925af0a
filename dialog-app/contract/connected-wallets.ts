/** Wallets of the user in other apps, for calls that sign and send. The provider app asks the user. */
import { findEmbeddedWallet, isSameAddress } from '@latchkey/protocol'
import type { CrossAppRequest } from '@latchkey/protocol/api'
import type { DialogServices } from '../app/services.ts'
import type { Cancellable } from '../browser/waiting.ts'
import { requireUser } from '../host/require-user.ts'

export type WalletOfApp = {
  address: string
  /** The id of the app that provides the wallet. */
  appId: string
  /** The name of the provider app. */
  name: string
  iconUrl: string | null
}

export type AskedOfApp = {
  address: string
  request: CrossAppRequest
  /** The digest of the typed data to sign. */
  digest?: string | undefined
}

export type ConnectedWallets = {
  /** Rejects if the user has no wallet with this address, or if it cannot sign here. */
  find: (address: string, asker: Cancellable) => Promise<WalletOfApp>
  /** Returns a signature, or the hash of the transaction that the provider sent. */
  ask: (asked: AskedOfApp, asker: { signal: AbortSignal }) => Promise<string>
}

/** Returns whether the address belongs to another wallet. Undefined selects the embedded wallet. */
export async function meansAnother(
  ports: Pick<DialogServices, 'session' | 'settings'>,
  address: string | undefined,
  asker: Cancellable,
): Promise<boolean> {
  if (address === undefined) return false
  const own = findEmbeddedWallet(await requireUser(ports, asker))
  return own === undefined || !isSameAddress(own.address, address)
}
