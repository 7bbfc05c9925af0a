/** The wallet that signs, by its chain: what is asked of it on its way to a signature. */
import type { ChainType } from '@latchkey/protocol'
import type { WalletEvent } from '../../core/wallet-obstacles.ts'
import type { Cancellable } from '../../waiting.ts'
import type { VerifiedAsker } from '../../wallet/verification.ts'
import type { Wallet } from '../../wallet/wallet.ts'

export type Signer = {
  readonly chain: ChainType
  /** Their rows of the contract with the wallet frame. */
  readonly events: { readonly connect: WalletEvent; readonly sign: WalletEvent }
  readonly connect: (wallet: Wallet, address: string, asker: Cancellable) => Promise<void>
  readonly signMessage: (
    wallet: Wallet,
    address: string,
    message: string,
    asker: VerifiedAsker,
  ) => Promise<string>
}

export const signers: { readonly [Chain in ChainType]: Signer } = {
  ethereum: {
    chain: 'ethereum',
    events: { connect: 'wallet:connect', sign: 'wallet:rpc' },
    connect: (wallet, ...call) => wallet.connect(...call),
    signMessage: (wallet, ...call) => wallet.signMessage(...call),
  },
  solana: {
    chain: 'solana',
    events: { connect: 'solana-wallet:connect', sign: 'solana-wallet:rpc' },
    connect: async (wallet, ...call) => (await wallet.solana()).connect(...call),
    signMessage: async (wallet, ...call) => (await wallet.solana()).signMessage(...call),
  },
}
