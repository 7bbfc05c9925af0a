/** A browser without a share of the wallet gets one with the file in its user's own cloud. */
import type { CloudRecovery } from '@latchkey/protocol/wallet'
import type { FlowPorts } from '../../../core/ports.ts'
import type { Remedy } from '../../../core/wallet-obstacles.ts'
import type { WindowBrowser } from '../../../window-login/browser.ts'
import { recoverFrom } from '../by-user.ts'
import { runCloud } from './run-cloud.ts'

type Ports = Pick<FlowPorts, 'wallet' | 'session' | 'analytics' | 'api' | 'clock' | 'settings'>

export const recoverByCloud = (ports: Ports, cloud: CloudRecovery, browser?: WindowBrowser): Remedy =>
  recoverFrom(ports, cloud, (handle, use) =>
    runCloud(ports, handle, {
      cloud,
      purpose: 'recover',
      browser,
      show: handle.replace,
      approval: undefined,
      cancel: undefined,
      close: undefined,
      use,
    }),
  )
