/** The browser features for dapps that were connected with a link. */
import type { Databases } from '../../browser/storage.ts'

/** Runs the dapp client in one tab at a time. Otherwise each tab would show every request. */
export type HoldTab = (
  name: string,
  /** Steals the lock from another tab if true. Otherwise waits until that tab releases it. */
  takes: boolean,
  /** Runs while this tab holds the lock. The signal aborts if another tab steals it. */
  run: (signal: AbortSignal) => Promise<void>,
) => Promise<void>

export type DappBrowser = { databases: () => Databases; hold: HoldTab }

export const ownBrowser: DappBrowser = {
  databases: () => indexedDB,
  async hold(name, takes, run) {
    const controller = new AbortController()
    try {
      await navigator.locks.request(name, { steal: takes }, () => run(controller.signal))
    } finally {
      // If another tab steals the lock, the request rejects before `run` ends.
      controller.abort()
    }
  },
}
