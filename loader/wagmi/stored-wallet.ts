/**
 * The wallet that was connected, or a mark that the user disconnected it. Stored in wagmi's storage for the
 * next page of the origin, which needs it before its dialog has loaded.
 */
import { productKey } from '@latchkey/protocol'
import { type Address, isAddress } from 'viem'

export type ConnectedWallet = { accounts: readonly Address[]; chainId: number }
export type Stored = ConnectedWallet | 'disconnected'

type Key = `${string}.wallet`
export type StoredItems = { [key: Key]: Stored }
/** The storage that wagmi passes to a connector. A host's own storage may be asynchronous. */
type Storage = {
  getItem(key: Key): unknown
  setItem(key: Key, value: Stored): unknown
  removeItem(key: Key): unknown
}

export function createStoredWallet(appId: string, storage: Storage | null | undefined) {
  const key = `${productKey}.${appId}.wallet` as const
  /** Treats a full or forbidden storage as empty. */
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

/** Validates the stored value, which any script of the origin may have written. */
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
