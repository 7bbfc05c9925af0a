/** A browser without a share of the wallet gets one with the file in its user's own cloud. */
import type { WalletAccount } from '@latchkey/protocol'
import type { CloudRecovery } from '@latchkey/protocol/wallet'
import { done, type Flow } from '../../../core/flow.ts'
import type { FlowPorts } from '../../../core/ports.ts'
import type { CallWallet, Remedy } from '../../../core/wallet-obstacles.ts'
import type { WindowBrowser } from '../../../window-login/browser.ts'
import { leftWithout, recoverByUser } from '../by-user.ts'
import { runCloud } from './run-cloud.ts'

type Ports = Pick<FlowPorts, 'wallet' | 'analytics' | 'api' | 'clock' | 'settings'>

export const recoverByCloud = (ports: Ports, cloud: CloudRecovery, browser?: WindowBrowser): Remedy =>
  recoverByUser(ports, cloud, (account, callWallet) =>
    cloudRecovery(ports, cloud, browser, account, callWallet),
  )

const cloudRecovery =
  (
    ports: Ports,
    cloud: CloudRecovery,
    browser: WindowBrowser | undefined,
    account: WalletAccount,
    callWallet: CallWallet,
  ): Flow<void> =>
  (handle) => {
    const { wallet, analytics } = ports
    let hasFailed = false
    return {
      kind: 'recovery',
      async run() {
        await runCloud(ports, handle, {
          cloud,
          purpose: 'recover',
          browser,
          show: handle.replace,
          cancel: undefined,
          close: undefined,
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
  }
