/** A browser without a share of the wallet gets one with the passkey that keeps it. */
import { done } from '../../../core/flow.ts'
import type { FlowPorts } from '../../../core/ports.ts'
import type { Remedy } from '../../../core/wallet-obstacles.ts'
import type { PrfAuthenticator } from '../../../webauthn/prf-authenticator.ts'
import { leftWithout, recoverByUser } from '../by-user.ts'
import { runPasskey } from './run-passkey.ts'

type Ports = Pick<FlowPorts, 'wallet' | 'analytics' | 'api' | 'clock'>

export const recoverByPasskey = (ports: Ports, authenticator?: PrfAuthenticator): Remedy =>
  recoverByUser(ports, 'passkey', (account, callWallet) => (handle) => {
    const { wallet, analytics } = ports
    let hasFailed = false
    return {
      kind: 'recovery',
      async run() {
        await runPasskey(ports, handle, {
          purpose: 'recover',
          authenticator,
          show: handle.replace,
          cancel: undefined,
          async use(own) {
            analytics('embedded_wallet_recovery_started')
            try {
              await callWallet({
                event: 'wallet:recover',
                account,
                card: handle,
                call: (verification) =>
                  wallet.recover(account.address, { signal: handle.signal, verification, own }),
              })
            } catch (error) {
              hasFailed = true
              throw error
            }
          },
        })
        analytics('embedded_wallet_recovery_completed')
        handle.end(done(undefined))
      },
      onClose: () => leftWithout(hasFailed),
    }
  })
