/** External wallets. */
import * as v from 'valibot'
import { evmAddress } from '../../entities/wallets/chain-primitives.ts'
import type { ConnectedWallet } from '../../entities/wallets/wallet-account.ts'
import { channelLimits } from '../../limits/limits.ts'
import type { HostCallDoc, HostCallRows } from '../../rows/host-call.ts'
import { type Lenient, lenientWallet } from '../../rows/lenient.ts'

/** Methods that the host page may request from a connected wallet that only the dialog can reach. */
const connectedMethods = [
  'personal_sign',
  'eth_signTypedData_v4',
  'eth_sendTransaction',
  'wallet_switchEthereumChain',
] as const

export const siweCalls = {
  connectWallet: { policy: 'needs-user', input: v.object({ suggestedAddress: v.exactOptional(evmAddress) }) },
  connectedWalletRequest: {
    policy: 'needs-user',
    input: v.object({
      address: evmAddress,
      method: v.picklist(connectedMethods),
      params: v.array(v.unknown()),
    }),
    maxBytes: channelLimits.maxTypedDataBytes,
  },
  disconnectWallet: { policy: 'headless', input: v.object({ address: evmAddress }) },
} as const satisfies HostCallRows

export const siweAnswers = {
  connectWallet: v.object({ wallet: lenientWallet }) as unknown as Lenient<{ wallet: ConnectedWallet }>,
  connectedWalletRequest: v.object({ result: v.unknown() }),
  disconnectWallet: v.object({}),
} as const

export const siweDoc: HostCallDoc<typeof siweCalls> = {
  connectWallet: {
    summary:
      'Opens the dialog to connect an external wallet. It does not log the user in and proves nothing.',
    errors: [
      'exited_link_flow',
      'disallowed_login_method',
      'user_rejected_request',
      'wallet_request_pending',
      'client_request_timeout',
      'generic_connect_wallet_error',
      'unknown_connect_wallet_error',
    ],
  },
  connectedWalletRequest: {
    summary:
      'Sends a request to a wallet that `connectWallet` connected through a relay. The wallet shows the request to its user. The host page sends requests to wallet extensions itself.',
    errors: [
      'invalid_data',
      'disallowed_login_method',
      'channel_closed',
      'user_rejected_request',
      'unsupported_chain_id',
      'client_request_timeout',
      'generic_connect_wallet_error',
    ],
  },
  disconnectWallet: {
    summary: 'Disconnects such a wallet. Disconnecting an unconnected wallet is not an error.',
    errors: ['invalid_data', 'disallowed_login_method'],
  },
}
