/**
 * The operations of the user's wallet.
 *
 * Each takes a wallet token of its own: one minute, for the vault that is there now. A vault that was renewed
 * meanwhile does not know the key of its token, and a frame that was reloaded lost the call: both are tried once
 * more, which is safe, since creating recovers the wallet that is there and signing changes nothing.
 */
import { type ErrorCode, LatchkeyError, walletLimits } from '@latchkey/protocol'
import type { Api } from '../api/client.ts'
import type { WalletChannel, WalletFrame } from './frame.ts'

export type Wallet = {
  /** Mounts the frame ahead of its first use. */
  readonly prepare: () => void
  readonly create: (options: { readonly readyWaitMs: number }) => Promise<string>
  /** Rejects with `wallet_not_on_device` where this browser has no share of it. */
  readonly connect: (address: string) => Promise<void>
  /** Automatic recovery. */
  readonly recover: (address: string) => Promise<void>
  readonly signMessage: (address: string, message: string) => Promise<string>
  /** Forgets what the frame holds of the user's second factor. */
  readonly forget: (userId: string) => Promise<void>
}

const triedAgain: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'vault_key_unknown',
  'frame_reloaded',
  'channel_closed',
])

export function createWallet(ports: { readonly frame: WalletFrame; readonly api: Api }): Wallet {
  const { frame, api } = ports

  async function withToken<T>(
    readyWaitMs: number,
    run: (channel: WalletChannel, accessToken: string) => Promise<T>,
  ): Promise<T> {
    const once = async () => {
      const channel = await frame.ready(readyWaitMs)
      const { publicKey } = await channel.call('vault:key', {})
      const { token } = await api.call('walletToken', { publicKey })
      return run(channel, token)
    }
    try {
      return await once()
    } catch (error) {
      if (!(error instanceof LatchkeyError) || !triedAgain.has(error.code)) throw error
      return once()
    }
  }

  return {
    prepare: frame.mount,
    async create({ readyWaitMs }) {
      const { address } = await withToken(readyWaitMs, (channel, accessToken) =>
        channel.call('wallet:create', { accessToken, recoveryMethod: 'latchkey' }),
      )
      return address
    },
    async connect(address) {
      await withToken(walletLimits.frameReadyMs, (channel, accessToken) =>
        channel.call('wallet:connect', { accessToken, address }),
      )
    },
    async recover(address) {
      await withToken(walletLimits.frameReadyMs, (channel, accessToken) =>
        channel.call('wallet:recover', { accessToken, address, recoveryMethod: 'latchkey' }),
      )
    },
    async signMessage(address, message) {
      const { response } = await withToken(walletLimits.frameReadyMs, (channel, accessToken) =>
        channel.call('wallet:rpc', {
          accessToken,
          address,
          request: { method: 'personal_sign', params: [hexOf(message), address] },
        }),
      )
      return response.data
    },
    async forget(userId) {
      const channel = await frame.ready(walletLimits.frameReadyImperativeMs)
      await channel.call('mfa:clear', { userId })
    },
  }
}

/** Wallets read a text that begins with 0x as bytes. As hex, what is signed is the text that was shown, always. */
function hexOf(message: string): string {
  const bytes = new TextEncoder().encode(message)
  return `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
