/** The user's Solana wallet. Each call runs in a vault operation. */
import { LatchkeyError, walletLimits } from '@latchkey/protocol'
import {
  type SignableRequest,
  type SolanaSignInFields,
  solanaMethod,
  solanaSignInMethod,
  solanaTransactionMethod,
  writeSolanaSignIn,
} from '@latchkey/protocol/wallet'
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
  /** Signs the sign-in message that the frame writes for these fields. Returns the signature in base58. */
  signIn: (publicKey: string, fields: SolanaSignInFields, options?: SignOptions) => Promise<string>
  /** Returns the signed transaction. Both are hex. */
  signTransaction: (publicKey: string, transaction: string, options?: SignOptions) => Promise<string>
}

type SolanaRequest = Extract<
  SignableRequest,
  { method: typeof solanaMethod | typeof solanaTransactionMethod }
>

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

  async function sign(
    toConfirm: SolanaRequest,
    params: { message: string } | { transaction: string } | { signIn: SolanaSignInFields },
    { signal, verification, confirmation }: SignOptions,
  ) {
    const method = 'signIn' in params ? solanaSignInMethod : toConfirm.method
    const [, publicKey] = toConfirm.params
    const { response } = await signStep(
      { address: publicKey, request: toConfirm, signal, confirmation },
      (channel, data) =>
        channel.call(
          'solana-wallet:rpc',
          { ...data, publicKey, request: { method, params }, ...verification },
          { signal },
        ),
    )
    return response.data
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
    async signMessage(publicKey, message, options = {}) {
      refuseProof(message)
      const data = await sign({ method: solanaMethod, params: [message, publicKey] }, { message }, options)
      return 'signature' in data ? data.signature : refuseAnswer()
    },
    async signIn(publicKey, fields, options = {}) {
      const message = writeSolanaSignIn(fields, publicKey)
      const toConfirm: SolanaRequest = { method: solanaMethod, params: [message, publicKey] }
      const data = await sign(toConfirm, { signIn: fields }, options)
      return 'signature' in data ? data.signature : refuseAnswer()
    },
    async signTransaction(publicKey, transaction, options = {}) {
      const data = await sign(
        { method: solanaTransactionMethod, params: [transaction, publicKey] },
        { transaction },
        options,
      )
      return 'transaction' in data ? data.transaction : refuseAnswer()
    },
  }
}

function refuseAnswer(): never {
  throw new LatchkeyError('unable_to_sign', 'The wallet frame answered another request')
}
