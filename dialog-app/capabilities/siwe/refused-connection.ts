/** What a host hears of its call `connectWallet` where the app has no wallets on. */
import { LatchkeyError } from '@latchkey/protocol'
import { siweCalls } from '@latchkey/protocol/host'
import type { MoreServed } from '../../host/host-calls.ts'

export const refused: MoreServed<keyof typeof siweCalls> = {
  rows: siweCalls,
  handlers: {
    async connectWallet() {
      throw new LatchkeyError('disallowed_login_method', 'This app has no login by wallet')
    },
  },
}
