/** A browser without a share of the wallet gets one with what its user gives in a window of the wallet's origin. */
import type { WindowRecovery } from '@latchkey/protocol/wallet'
import type { FlowPorts } from '../../../contract/ports.ts'
import type { Remedy } from '../../../wallet/wallet-obstacles.ts'
import { recoverFrom } from '../by-user.ts'
import { runWindow } from './run-window.ts'
import { windowFace } from './window-face.ts'

type Ports = Pick<FlowPorts, 'wallet' | 'session' | 'analytics' | 'api' | 'clock' | 'settings'>

export const recoverByWindow = (ports: Ports, method: WindowRecovery, userAgent?: string): Remedy =>
  recoverFrom(ports, method, (handle, use, { address }) =>
    runWindow(ports, handle, {
      method,
      purpose: 'recover',
      address: () => address,
      userAgent,
      face: windowFace(handle, { method, purpose: 'recover', show: handle.replace, cancel: undefined }),
      use,
    }),
  )
