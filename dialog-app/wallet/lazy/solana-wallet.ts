/** The user's Solana wallet. Each call runs in a vault operation. */
import { walletLimits } from '@latchkey/protocol'
import { type SignableRequest, solanaMethod } from '@latchkey/protocol/wallet'
import type { Cancellable } from '../../browser/waiting.ts'
import type { Session } from '../../session/session.ts'
import type { SignOptions } from '../confirmed.ts'
import { refuseProof } from '../message.ts'
import type { Operations } from '../operations.ts'
import type { SignStep } from '../sign-step.ts'
import type { VerifiedOptions } from '../verification.ts'

export type SolanaWallet = {
  /**
   * Creates the wallet and updates the session's user. Recovers it if it was created elsewhere in the meantime. With
   * `ethereumAddress`, registers the Solana address that the secret of this wallet derives.
   */
  create: (options?: VerifiedOptions & { ethereumAddress?: string | undefined }) => Promise<string>
  /** Rejects with `wallet_not_on_device` if this browser has no share. */
  connect: (publicKey: string, options?: Cancellable) => Promise<void>
  recover: (publicKey: string, options?: VerifiedOptions) => Promise<void>
  /** Returns the signature in base58. */
  signMessage: (publicKey: string, message: string, options?: SignOptions) => Promise<string>
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
  async function recover(publicKey: string, { signal, verification }: VerifiedOptions = {}) {
    const step = { purpose: 'recover', address: publicKey, readyWaitMs: frameReadyMs, signal } as const
    await operations.runStep(step, (channel, data) =>
      channel.call('solana-wallet:recover', { ...data, publicKey, ...verification }, { signal }),
    )
  }

  return {
    async create({ signal, verification, ethereumAddress } = {}) {
      const isDerived = ethereumAddress !== undefined
      const step = {
        purpose: isDerived ? 'solana-address' : 'create',
        address: ethereumAddress ?? null,
        readyWaitMs: frameReadyImperativeMs,
        signal,
      } as const
      const created = await operations.runStep(step, (channel, data) =>
        channel.call(
          'solana-wallet:create',
          { ...data, ...(isDerived && { ethereumAddress }), ...verification },
          { signal },
        ),
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
