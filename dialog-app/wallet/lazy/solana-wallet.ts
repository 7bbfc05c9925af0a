/** The user's Solana wallet: what can be done with it, each in an operation of the vault. */
import { walletLimits } from '@latchkey/protocol'
import { type SignableRequest, solanaMethod } from '@latchkey/protocol/wallet'
import type { Cancellable } from '../../browser/waiting.ts'
import type { Session } from '../../session/session.ts'
import type { SigningAsker } from '../confirmed.ts'
import { refuseProof } from '../message.ts'
import type { Operations } from '../operations.ts'
import type { SignStep } from '../sign-step.ts'
import type { VerifiedAsker } from '../verification.ts'

export type SolanaWallet = {
  /** The session takes over the user with the new wallet. One that was made elsewhere meanwhile is recovered. */
  create: (asker?: Cancellable) => Promise<string>
  /** Rejects with `wallet_not_on_device` where this browser has no share of it. */
  connect: (publicKey: string, asker?: Cancellable) => Promise<void>
  recover: (publicKey: string, asker?: VerifiedAsker) => Promise<void>
  /** The signature is in base58. */
  signMessage: (publicKey: string, message: string, asker?: SigningAsker) => Promise<string>
}

const { frameReadyMs, frameReadyImperativeMs } = walletLimits

export function createSolanaWallet({
  operations,
  signStep,
  session,
}: {
  operations: Operations
  signStep: SignStep
  session: Pick<Session, 'replaceUser'>
}): SolanaWallet {
  async function recover(publicKey: string, { signal, verification }: VerifiedAsker = {}) {
    const step = { purpose: 'recover', address: publicKey, readyWaitMs: frameReadyMs, signal } as const
    await operations.runStep(step, (channel, data) =>
      channel.call('solana-wallet:recover', { ...data, publicKey, ...verification }, { signal }),
    )
  }

  return {
    async create({ signal } = {}) {
      const step = { purpose: 'create', address: null, readyWaitMs: frameReadyImperativeMs, signal } as const
      const created = await operations.runStep(step, (channel, data) =>
        channel.call('solana-wallet:create', data, { signal }),
      )
      if (created.user) session.replaceUser(created.user)
      if (!created.onDevice) await recover(created.publicKey, { signal })
      return created.publicKey
    },
    async connect(publicKey, { signal } = {}) {
      const step = { purpose: 'connect', address: publicKey, readyWaitMs: frameReadyMs, signal } as const
      await operations.runStep(step, (channel, data) =>
        channel.call('solana-wallet:connect', { ...data, publicKey }, { signal }),
      )
    },
    recover,
    async signMessage(publicKey, message, { signal, verification, confirmation } = {}) {
      refuseProof(message)
      const request = { method: solanaMethod, params: { message } } as const
      const toConfirm: SignableRequest = { method: solanaMethod, params: [message, publicKey] }
      const { response } = await signStep(
        { address: publicKey, request: toConfirm, signal, confirmation },
        (channel, data) =>
          channel.call('solana-wallet:rpc', { ...data, publicKey, request, ...verification }, { signal }),
      )
      return response.data.signature
    },
  }
}
