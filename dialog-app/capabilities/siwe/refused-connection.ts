/** Rejects calls for external wallets in an app without them. */
import { LatchkeyError } from '@latchkey/protocol'
import { siweCalls } from '@latchkey/protocol/host'
import type { ServedHostCalls } from '../../host/host-calls.ts'

async function refuse(): Promise<never> {
  throw new LatchkeyError('disallowed_login_method', 'This app has no login by wallet')
}

export const refused: ServedHostCalls<keyof typeof siweCalls> = {
  rows: siweCalls,
  handlers: { connectWallet: refuse, connectedWalletRequest: refuse, disconnectWallet: refuse },
}
