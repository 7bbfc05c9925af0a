/**
 * The session's device key, with which the vault signs a statement for each step. A login binds the key if the vault
 * was ready. Otherwise the secret in the login's answer binds it once, as soon as the vault is ready.
 */
import { product, walletLimits } from '@latchkey/protocol'
import { type AuthAnswer, sessionRoutes } from '@latchkey/protocol/api'
import type { StatementInput } from '@latchkey/protocol/wallet'
import type { Api } from '../api/client.ts'
import { type Cancellable, orAborted } from '../browser/waiting.ts'
import type { Session } from '../session/session.ts'
import type { WalletChannel, WalletFrame } from './frame.ts'

/** A statement. With `window`, it is about the vault key of that window. */
export type Statement = Omit<StatementInput, 'dialogKey'> & { window?: string }

export type Device = {
  /** Returns the call headers with the vault's statement for a step. */
  headersFor: (
    channel: WalletChannel,
    statement: Statement,
    options?: Cancellable,
  ) => Promise<Readonly<Record<string, string>>>
  /** Stores the device key for the user after the login of this operation succeeded. */
  file: (channel: WalletChannel, operationId: string, userId: string) => void
  /** Resolves when pending device calls are done or have failed. */
  settled: () => Promise<void>
  /** Binds the device after a login that named no vault. */
  bind: (answer: AuthAnswer) => void
}

export type DevicePorts = {
  frame: WalletFrame
  api: Api
  session: Pick<Session, 'state'>
  /** The thumbprint of the key with which the dialog proves its calls. */
  dialogKey: () => Promise<string>
}

export function createDevice({ frame, api, session, dialogKey }: DevicePorts): Device {
  /** Failures are ignored here: the server refuses the token of the next step instead. */
  let pending: Promise<void> = Promise.resolve()
  const enqueue = (work: () => Promise<void>) => {
    pending = pending.then(work).catch(() => {})
  }

  async function signStatement(
    channel: WalletChannel,
    statement: Statement,
    userId: string | null,
    options: Cancellable,
  ) {
    const input = { ...statement, userId, dialogKey: await dialogKey() }
    const answer = await channel.call('operation:state', input, options)
    return { [product.headers.device]: answer.statement }
  }

  async function bindNow(secret: string, userId: string) {
    const channel = await frame.ready(walletLimits.frameReadyMs)
    const { operationId } = await channel.call('operation:begin', {})
    try {
      const operation = { id: operationId, step: 1 }
      const login = { purpose: 'login', operation, address: null, digest: null } as const
      const headers = await signStatement(channel, login, null, {})
      await api.call(sessionRoutes.bindDevice, { secret }, { headers })
      await channel.call('device:file', { operationId, userId })
    } finally {
      channel.call('operation:end', { operationId }).catch(() => {})
    }
  }

  return {
    async headersFor(channel, statement, options = {}) {
      if (statement.purpose === 'login') return signStatement(channel, statement, null, options)
      await orAborted(pending, options.signal)
      const state = session.state()
      const userId = state.status === 'authenticated' ? state.user.id : null
      return signStatement(channel, statement, userId, options)
    },
    file: (channel, operationId, userId) =>
      enqueue(async () => void (await channel.call('device:file', { operationId, userId }))),
    settled: () => pending,
    bind({ deviceSecret, user }) {
      if (deviceSecret !== undefined) enqueue(() => bindNow(deviceSecret, user.id))
    },
  }
}
