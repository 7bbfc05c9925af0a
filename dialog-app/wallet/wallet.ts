/** The user's wallet. Each call runs in a vault operation. */
import { LatchkeyError, walletLimits } from '@latchkey/protocol'
import type { AuthAnswer } from '@latchkey/protocol/api'
import type { WalletPage, WalletRpcRequest } from '@latchkey/protocol/wallet'
import { textToHex } from '../browser/hex.ts'
import type { Cancellable } from '../browser/waiting.ts'
import type { Session } from '../session/session.ts'
import type { Confirm, ConfirmPorts, OfferedRequest, SignOptions } from './confirmed.ts'
import { acceptCreated } from './created-wallet.ts'
import { createDevice, type DevicePorts } from './device.ts'
import type { WalletFrame } from './frame.ts'
import type { ExportWindows } from './lazy/export-windows.ts'
import type { RecoveryWindows } from './lazy/recovery-windows.ts'
import type { SolanaWallet } from './lazy/solana-wallet.ts'
import { createLoginOperation, type LoginVault } from './login-operation.ts'
import { refuseProof } from './message.ts'
import { createOperations, type Operation, type Operations } from './operations.ts'
import { type OwnRecovery, toRecoveryInput } from './own-recovery.ts'
import { createSignReadiness, type PrepareSignOptions } from './sign-readiness.ts'
import { createSignStep } from './sign-step.ts'
import type { VerifiedOptions } from './verification.ts'

export type Wallet = {
  /** Mounts the frame ahead of its first use. */
  prepare: () => void
  /** Mounts the frame and begins an operation while the user types a code. */
  prepareOperation: () => void
  /** Returns the login's vault data for that operation, if it is ready. */
  loginVault: () => LoginVault | undefined
  /** Accepts the answer of the login that sent this vault data. It may contain the token of the first step. */
  acceptLogin: (sentVault: LoginVault | undefined, answer: AuthAnswer) => void
  /**
   * Creates the wallet and updates the session's user. Recovers a wallet that was created elsewhere in the meantime.
   * With `own`, rejects with `embedded_wallet_recovery_already_exists` if `own` does not recover it.
   */
  create: (options: Cancellable & { readyWaitMs: number; own?: OwnRecovery | undefined }) => Promise<string>
  /** Rejects with `wallet_not_on_device` if this browser has no share. */
  connect: (address: string, options?: Cancellable) => Promise<void>
  /** Recovers with the user's recovery method if given, and automatically otherwise. */
  recover: (address: string, options?: RecoverOptions) => Promise<void>
  /** Changes the wallet's recovery method and updates the session's user. */
  setRecovery: (address: string, options: RecoverOptions & { own: OwnRecovery }) => Promise<void>
  /** Prepares a signature until it is made or the signal aborts. */
  prepareSign: (address: string, options?: PrepareSignOptions) => void
  /** Puts a request to the server, which returns its approval surface. */
  confirm: Confirm
  /** Offers a request to the confirmation page until the signal aborts. */
  offer: (offered: OfferedRequest, signal: AbortSignal) => Promise<void>
  recoveryWindows: () => Promise<RecoveryWindows>
  exportWindows: () => Promise<ExportWindows>
  /** Puts an unconfirmed request first, and rejects if it must be approved elsewhere. */
  signMessage: (address: string, message: string, options?: SignOptions) => Promise<string>
  /** Returns the vault's answer to the request: a signature or a signed transaction. */
  sign: (address: string, request: WalletRpcRequest, options?: SignOptions) => Promise<string>
  /** Loaded on demand, because few users have a Solana wallet. */
  solana: () => Promise<SolanaWallet>
  /** Runs a step for a capability. */
  runStep: Operations['runStep']
  /** Begins an operation for several steps. The caller must end it. */
  begin: (options?: Cancellable & { readyWaitMs?: number }) => Promise<Operation>
  end: Operations['end']
  requestToken: Operations['requestToken']
  /** Returns the URL of a wallet page that is framed next to the wallet frame. */
  pageUrl: (page: WalletPage) => Promise<string>
  /** Drops prepared operations, and clears the user's second factor in the frame. */
  forget: (userId: string) => Promise<void>
}

export type RecoverOptions = VerifiedOptions & { own?: OwnRecovery | undefined }

const { frameReadyMs, frameReadyImperativeMs } = walletLimits

export type WalletPorts = ConfirmPorts &
  Pick<DevicePorts, 'dialogKey'> & {
    appId: string
    frame: WalletFrame
    session: Pick<Session, 'state' | 'replaceUser'>
    pageUrl: (page: WalletPage) => string
  }

export function createWallet(ports: WalletPorts): Wallet {
  const { appId: requesterAppId, frame, session } = ports
  const device = createDevice(ports)
  const operations = createOperations({ ...ports, device })
  const parts = { operations, device, clock: ports.clock }
  const login = createLoginOperation(parts)
  const signing = createSignReadiness(parts)
  const confirm: Confirm = async (...call) =>
    (await import('./lazy/put-confirmation.ts')).putConfirmation(ports, ...call)
  const signStep = createSignStep({ operations, readiness: signing, confirm })

  function currentUserId(): string | undefined {
    const state = session.state()
    return state.status === 'authenticated' ? state.user.id : undefined
  }

  async function recover(address: string, { signal, verification, own }: RecoverOptions = {}) {
    const step = { purpose: 'recover', address, readyWaitMs: frameReadyMs, signal } as const
    const recovery = toRecoveryInput(own)
    await operations.runStep(step, (channel, data) =>
      channel.call('wallet:recover', { ...data, address, ...recovery, ...verification }, { signal }),
    )
  }

  async function sign(
    address: string,
    request: WalletRpcRequest,
    { signal, verification, confirmation }: SignOptions = {},
  ): Promise<string> {
    const { response } = await signStep({ address, request, signal, confirmation }, (channel, data) =>
      channel.call(
        'wallet:rpc',
        {
          ...data,
          address,
          request,
          requesterAppId,
          ...(confirmation?.isRelayed && { relayed: true }),
          ...verification,
        },
        { signal },
      ),
    )
    return response.data
  }

  return {
    prepare: frame.mount,
    prepareOperation: () => login.prepare(frameReadyMs),
    loginVault: login.vault,
    acceptLogin: login.accept,
    async create({ readyWaitMs, signal, own }) {
      const step = { purpose: 'create', address: null, readyWaitMs, signal } as const
      const created = await operations.runStep(
        step,
        (channel, data) => channel.call('wallet:create', { ...data, ...toRecoveryInput(own) }, { signal }),
        await login.take(step, currentUserId()),
      )
      await acceptCreated(created, own, session, (again) => recover(created.address, { signal, own: again }))
      return created.address
    },
    async connect(address, { signal } = {}) {
      const step = { purpose: 'connect', address, readyWaitMs: frameReadyMs, signal } as const
      await operations.runStep(
        step,
        (channel, data) => channel.call('wallet:connect', { ...data, address }, { signal }),
        await login.take(step, currentUserId()),
      )
    },
    recover,
    async setRecovery(address, { signal, verification, own }) {
      const { confirmation } = own
      if (!confirmation) throw new LatchkeyError('invalid_data', 'The recovery change was not confirmed')
      const step = {
        purpose: 'set-recovery',
        address,
        readyWaitMs: frameReadyMs,
        signal,
        confirmation: async () => confirmation,
      } as const
      const recovery = toRecoveryInput(own)
      const { user } = await operations.runStep(step, (channel, data) =>
        channel.call('wallet:set-recovery', { ...data, address, ...recovery, ...verification }, { signal }),
      )
      session.replaceUser(user)
    },
    prepareSign: (address, options = {}) => signing.prepare(address, frameReadyMs, options),
    confirm,
    async offer(offered, signal) {
      const userId = currentUserId()
      if (userId === undefined) throw new LatchkeyError('must_be_authenticated', 'The user is not logged in')
      const channel = await frame.ready(frameReadyImperativeMs, { signal })
      await channel.call('confirm:offer', { userId, ...offered }, { signal })
      const end = () => void channel.call('confirm:end', { handle: offered.handle }).catch(() => {})
      if (signal.aborted) return end()
      signal.addEventListener('abort', end, { once: true })
    },
    async signMessage(address, message, options) {
      refuseProof(message)
      return sign(address, { method: 'personal_sign', params: [textToHex(message), address] }, options)
    },
    sign,
    async solana() {
      const { createSolanaWallet } = await import('./lazy/solana-wallet.ts')
      return createSolanaWallet({ operations, signStep, session })
    },
    runStep: operations.runStep,
    begin: ({ signal, readyWaitMs = frameReadyMs } = {}) => operations.begin({ readyWaitMs, signal }),
    end: operations.end,
    requestToken: operations.requestToken,
    pageUrl: async (page) => ports.pageUrl(page),
    async recoveryWindows() {
      const { createRecoveryWindows } = await import('./lazy/recovery-windows.ts')
      return createRecoveryWindows(ports, currentUserId)
    },
    async exportWindows() {
      const { createExportWindows } = await import('./lazy/export-windows.ts')
      return createExportWindows(ports, currentUserId)
    },
    async forget(userId) {
      login.drop()
      signing.drop()
      const channel = await frame.ready(frameReadyImperativeMs)
      await channel.call('mfa:clear', { userId })
    },
  }
}
