import type { WindowBrowser } from '../../window-login/browser.ts'
import { capabilities } from '../index.ts'
import { bringRecovery, recovery } from './recovery.ts'

/** Every capability, with another browser behind this one. */
export const capabilitiesIn = (browser: WindowBrowser) =>
  capabilities.map((each) =>
    each.name === 'recovery'
      ? { ...recovery, bring: (ports: Parameters<typeof bringRecovery>[0]) => bringRecovery(ports, browser) }
      : each,
  )
