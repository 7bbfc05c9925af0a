/** The user's wallet: what can be done with it, each in an operation of the vault. */
import { LatchkeyError, walletLimits } from '@latchkey/protocol'
import type { AuthAnswer } from '@latchkey/protocol/api'
import type { WalletPage, WalletRpcRequest } from '@latchkey/protocol/wallet'
import { hexOfText } from '../browser/hex.ts'
import type { Cancellable } from '../browser/waiting.ts'
import type { Session } from '../session/session.ts'
import type { Confirm, ConfirmPorts, Offered, SigningAsker } from './confirmed.ts'
import { acceptCreated } from './created-wallet.ts'
import { createDevice, type DevicePorts } from './device.ts'
import type { WalletFrame } from './frame.ts'
import type { ExportWindows } from './lazy/export-windows.ts'
import type { RecoveryWindows } from './lazy/recovery-windows.ts'
import type { SolanaWallet } from './lazy/solana-wallet.ts'
import { createLoginOperation, type LoginVault } from './login-operation.ts'
import { refuseProof } from './message.ts'
import { createOperations, type Operation, type Operations } from './operations.ts'
import { type OwnRecovery, recoveryOf } from './own-recovery.ts'
import { createSignReadiness, type PreparingAsker } from './sign-readiness.ts'
import { createSignStep } from './sign-step.ts'
import type { VerifiedAsker } from './verification.ts'

export type Wallet = {
  /** Mounts the frame ahead of its first use. */
  prepare: () => void
  /** Mounts the frame and begins an operation, while a code is typed. */
  prepareOperation: () => void
  /** What a login says of that operation, if it is ready. */
  loginVault: () => LoginVault | undefined
  /** What the login that said this was answered: it may bring the token of the first step. */
  acceptLogin: (said: LoginVault | undefined, answer: AuthAnswer) => void
  /**
   * The session takes over the user with the new wallet. One that was made elsewhere meanwhile is recovered, and
   * with `own` it rejects with `embedded_wallet_recovery_already_exists` unless that keeps it.
   */
  create: (options: Cancellable & { readyWaitMs: number; own?: OwnRecovery | undefined }) => Promise<string>
  /** Rejects with `wallet_not_on_device` where this browser has no share of it. */
  connect: (address: string, asker?: Cancellable) => Promise<void>
  /** By what the user keeps, where that is given; else automatic. */
  recover: (address: string, asker?: RecoveryAsker) => Promise<void>
  /** The wallet is recovered by this method from now on. The session takes over the user. */
  setRecovery: (address: string, asker: RecoveryAsker & { own: OwnRecovery }) => Promise<void>
  /** Makes ready for a signature, and keeps it so until the signature or the end of the signal. */
  prepareSign: (address: string, asker?: PreparingAsker) => void
  /** Puts what is to be signed to the server, which says where it may be approved. */
  confirm: Confirm
  /** Lets the page of confirmations have the vault approve this, as long as the signal lasts. */
  offer: (offered: Offered, signal: AbortSignal) => Promise<void>
  /** The windows in which users give what protects their wallets. */
  recoveryWindows: () => Promise<RecoveryWindows>
  /** The windows in which users see the keys of their wallets. */
  exportWindows: () => Promise<ExportWindows>
  /** What nobody confirmed yet is put first; where it has to be approved elsewhere, that is refused. */
  signMessage: (address: string, message: string, asker?: SigningAsker) => Promise<string>
  /** What the vault answers to a request: a signature, or a transaction with one. */
  sign: (address: string, request: WalletRpcRequest, asker?: SigningAsker) => Promise<string>
  /** Few have one, so it comes when it is asked for. */
  solana: () => Promise<SolanaWallet>
  /** A capability runs a step of its own by this. */
  runStep: Operations['runStep']
  /** An operation is for what takes more than one step. Whoever begins one ends it. */
  begin: (asker?: Cancellable & { readyWaitMs?: number }) => Promise<Operation>
  end: Operations['end']
  tokenFor: Operations['tokenFor']
  /** Of a page of the wallet's origin, to be framed beside the wallet frame. */
  pageUrl: (page: WalletPage) => Promise<string>
  /** Forgets what is prepared here, and what the frame holds of the user's second factor. */
  forget: (userId: string) => Promise<void>
}

export type RecoveryAsker = VerifiedAsker & { own?: OwnRecovery | undefined }

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

  function presentUserId(): string | undefined {
    const state = session.state()
    return state.status === 'authenticated' ? state.user.id : undefined
  }

  async function recover(address: string, { signal, verification, own }: RecoveryAsker = {}) {
    const step = { purpose: 'recover', address, readyWaitMs: frameReadyMs, signal } as const
    const recovery = recoveryOf(own)
    await operations.runStep(step, (channel, data) =>
      channel.call('wallet:recover', { ...data, address, ...recovery, ...verification }, { signal }),
    )
  }

  async function sign(
    address: string,
    request: WalletRpcRequest,
    { signal, verification, confirmation }: SigningAsker = {},
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
        (channel, data) => channel.call('wallet:create', { ...data, ...recoveryOf(own) }, { signal }),
        await login.take(step, presentUserId()),
      )
      await acceptCreated(created, own, session, (again) => recover(created.address, { signal, own: again }))
      return created.address
    },
    async connect(address, { signal } = {}) {
      const step = { purpose: 'connect', address, readyWaitMs: frameReadyMs, signal } as const
      await operations.runStep(
        step,
        (channel, data) => channel.call('wallet:connect', { ...data, address }, { signal }),
        await login.take(step, presentUserId()),
      )
    },
    recover,
    async setRecovery(address, { signal, verification, own }) {
      const { confirmation } = own
      if (!confirmation) throw new LatchkeyError('invalid_data', 'Nobody has confirmed this recovery')
      const step = {
        purpose: 'set-recovery',
        address,
        readyWaitMs: frameReadyMs,
        signal,
        confirmation: async () => confirmation,
      } as const
      const recovery = recoveryOf(own)
      const { user } = await operations.runStep(step, (channel, data) =>
        channel.call('wallet:set-recovery', { ...data, address, ...recovery, ...verification }, { signal }),
      )
      session.replaceUser(user)
    },
    prepareSign: (address, asker = {}) => signing.prepare(address, frameReadyMs, asker),
    confirm,
    async offer(offered, signal) {
      const userId = presentUserId()
      if (userId === undefined) throw new LatchkeyError('must_be_authenticated', 'Nobody is logged in')
      const channel = await frame.ready(frameReadyImperativeMs, { signal })
      await channel.call('confirm:offer', { userId, ...offered }, { signal })
      const end = () => void channel.call('confirm:end', { handle: offered.handle }).catch(() => {})
      if (signal.aborted) return end()
      signal.addEventListener('abort', end, { once: true })
    },
    async signMessage(address, message, asker) {
      refuseProof(message)
      return sign(address, { method: 'personal_sign', params: [hexOfText(message), address] }, asker)
    },
    sign,
    async solana() {
      const { createSolanaWallet } = await import('./lazy/solana-wallet.ts')
      return createSolanaWallet({ operations, signStep, session })
    },
    runStep: operations.runStep,
    begin: ({ signal, readyWaitMs = frameReadyMs } = {}) => operations.begin({ readyWaitMs, signal }),
    end: operations.end,
    tokenFor: operations.tokenFor,
    pageUrl: async (page) => ports.pageUrl(page),
    async recoveryWindows() {
      const { createRecoveryWindows } = await import('./lazy/recovery-windows.ts')
      return createRecoveryWindows(ports, presentUserId)
    },
    async exportWindows() {
      const { createExportWindows } = await import('./lazy/export-windows.ts')
      return createExportWindows(ports, presentUserId)
    },
    async forget(userId) {
      login.drop()
      signing.drop()
      const channel = await frame.ready(frameReadyImperativeMs)
      await channel.call('mfa:clear', { userId })
    },
  }
}
