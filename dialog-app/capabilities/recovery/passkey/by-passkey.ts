/** A browser without a share of the wallet gets one with the passkey that keeps it. */
import type { FlowPorts } from '../../../core/ports.ts'
import type { Remedy } from '../../../core/wallet-obstacles.ts'
import type { PrfAuthenticator } from '../../../webauthn/prf-authenticator.ts'
import { recoverFrom } from '../by-user.ts'
import { runPasskey } from './run-passkey.ts'

type Ports = Pick<FlowPorts, 'wallet' | 'session' | 'analytics' | 'api' | 'clock'>

export const recoverByPasskey = (ports: Ports, authenticator?: PrfAuthenticator): Remedy =>
  recoverFrom(ports, 'passkey', (handle, use) =>
    runPasskey(ports, handle, {
      purpose: 'recover',
      authenticator,
      show: handle.replace,
      cancel: undefined,
      use,
    }),
  )
