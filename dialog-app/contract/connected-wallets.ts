/** Wallets that the user has in other apps, as calls that sign and send use them: their providers ask the user. */
import { findEmbeddedWallet, isSameAddress } from '@latchkey/protocol'
import type { CrossAppRequest } from '@latchkey/protocol/api'
import type { DialogServices } from '../app/services.ts'
import type { Cancellable } from '../browser/waiting.ts'
import { requireUser } from '../host/require-user.ts'

export type WalletOfApp = {
  address: string
  /** The id of the app that provides the wallet. */
  appId: string
  /** What its provider is called, and looks like. */
  name: string
  iconUrl: string | null
}

export type AskedOfApp = {
  address: string
  request: CrossAppRequest
  /** The digest of typed data, which the signature is over. */
  digest?: string | undefined
}

export type ConnectedWallets = {
  /** Rejects where the user has none of this address, or where it signs nothing here. */
  find: (address: string, asker: Cancellable) => Promise<WalletOfApp>
  /** A signature, or the hash of the transaction that its provider sent. */
  ask: (asked: AskedOfApp, asker: { signal: AbortSignal }) => Promise<string>
}

/** Whether a caller means another wallet than the embedded one, which it may name too. */
export async function meansAnother(
  ports: Pick<DialogServices, 'session' | 'settings'>,
  address: string | undefined,
  asker: Cancellable,
): Promise<boolean> {
  if (address === undefined) return false
  const own = findEmbeddedWallet(await requireUser(ports, asker))
  return own === undefined || !isSameAddress(own.address, address)
}
