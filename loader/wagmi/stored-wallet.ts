/**
 * What the next page of the origin knows before its dialog has come: the wallet that was connected, or that its user has
 * disconnected it. It stands in wagmi's own storage, where the host has one.
 */
import { productKey } from '@latchkey/protocol'
import { type Address, isAddress } from 'viem'

export type ConnectedWallet = { accounts: readonly Address[]; chainId: number }
export type Stored = ConnectedWallet | 'disconnected'

type Key = `${string}.wallet`
export type StoredItems = { [key: Key]: Stored }
/** As wagmi hands its storage to a connector; a host may bring one of its own, which may be asynchronous. */
type Storage = {
  getItem(key: Key): unknown
  setItem(key: Key, value: Stored): unknown
  removeItem(key: Key): unknown
}

export function createStoredWallet(appId: string, storage: Storage | null | undefined) {
  const key = `${productKey}.${appId}.wallet` as const
  /** A storage that is full or forbidden is one that has nothing. */
  const attempt = async <T>(run: (storage: Storage) => T): Promise<Awaited<T> | undefined> => {
    try {
      return storage ? await run(storage) : undefined
    } catch {
      return undefined
    }
  }
  return {
    read: async () => parse(await attempt((storage) => storage.getItem(key))),
    write: (stored: Stored) => attempt((storage) => storage.setItem(key, stored)),
    remove: () => attempt((storage) => storage.removeItem(key)),
  }
}

/** Any script of the page's origin may have written there, now or years ago. */
function parse(stored: unknown): Stored | undefined {
  if (stored === 'disconnected') return stored
  const { accounts, chainId } = Object(stored)
  const isWallet =
    Array.isArray(accounts) &&
    accounts.length > 0 &&
    accounts.every((account) => typeof account === 'string' && isAddress(account)) &&
    Number.isSafeInteger(chainId) &&
    chainId > 0
  return isWallet ? { accounts, chainId } : undefined
}
