/** A browser without a share of the wallet gets one with the file in its user's own cloud. */
import type { CloudRecovery } from '@latchkey/protocol/wallet'
import type { FlowPorts } from '../../../contract/ports.ts'
import type { Remedy } from '../../../wallet/wallet-obstacles.ts'
import { recoverFrom } from '../by-user.ts'
import { runWindow } from '../window/run-window.ts'
import { cloudFace, tellRefusal } from './cloud-face.ts'

type Ports = Pick<FlowPorts, 'wallet' | 'session' | 'analytics' | 'api' | 'clock' | 'settings'>

export const recoverByCloud = (ports: Ports, cloud: CloudRecovery, userAgent?: string): Remedy =>
  recoverFrom(ports, cloud, (handle, use, { address }) =>
    runWindow(ports, handle, {
      method: cloud,
      purpose: 'recover',
      address: () => address,
      userAgent,
      face: cloudFace(handle, { cloud, purpose: 'recover', show: handle.replace, cancel: undefined }),
      onRefused: tellRefusal(ports, cloud),
      use,
    }),
  )
