/** The calls of the wallet that a signature needs, for each kind of chain. */
import type { ChainType } from '@latchkey/protocol'
import { type SignableRequest, solanaMethod } from '@latchkey/protocol/wallet'
import { textToHex } from '../../browser/hex.ts'
import type { Cancellable } from '../../browser/waiting.ts'
import type { SignOptions } from '../../wallet/confirmed.ts'
import type { Wallet } from '../../wallet/wallet.ts'
import type { WalletEvent } from '../../wallet/wallet-obstacles.ts'

export type Signer = {
  chain: ChainType
  /** The names of these calls in the protocol with the wallet frame. */
  events: { connect: WalletEvent; sign: WalletEvent }
  connect: (wallet: Wallet, address: string, asker: Cancellable) => Promise<void>
  /** The request that the server confirms. */
  messageRequest: (address: string, message: string) => SignableRequest
  signMessage: (wallet: Wallet, address: string, message: string, asker: SignOptions) => Promise<string>
}

export const signers: { [Chain in ChainType]: Signer } = {
  ethereum: {
    chain: 'ethereum',
    events: { connect: 'wallet:connect', sign: 'wallet:rpc' },
    connect: (wallet, ...call) => wallet.connect(...call),
    messageRequest: (address, message) => ({
      method: 'personal_sign',
      params: [textToHex(message), address],
    }),
    signMessage: (wallet, ...call) => wallet.signMessage(...call),
  },
  solana: {
    chain: 'solana',
    events: { connect: 'solana-wallet:connect', sign: 'solana-wallet:rpc' },
    connect: async (wallet, ...call) => (await wallet.solana()).connect(...call),
    messageRequest: (publicKey, message) => ({ method: solanaMethod, params: [message, publicKey] }),
    signMessage: async (wallet, ...call) => (await wallet.solana()).signMessage(...call),
  },
}
