import { loadable } from '../browser/loadable.ts'
import type { HostPage } from '../browser/ports.ts'
import type { CapabilityPorts } from './capability.ts'

/** The page that has the user's wallets: that of the host, or, where there is none, the dialog's own. */
export function pageOf({ page, clock, load }: Pick<CapabilityPorts, 'page' | 'clock' | 'load'>): HostPage {
  if (page) return page
  const own = loadable(async () => (await import('../host/lazy/own-page.ts')).createOwnPage(clock))
  return {
    findWallets: async () => (await load(own.load)).findWallets(),
    request: async (...asked) => (await load(own.load)).request(...asked),
  }
}
