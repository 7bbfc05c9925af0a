/**
 * The device of the session: the key of the vault that states each step of an operation. A login binds it where the
 * vault was ready; else the secret of the login's answer does, once, as soon as the vault is.
 */
import { product, walletLimits } from '@latchkey/protocol'
import { type AuthAnswer, sessionRoutes } from '@latchkey/protocol/api'
import type { StatementInput } from '@latchkey/protocol/wallet'
import type { Api } from '../api/client.ts'
import { type Cancellable, orAborted } from '../browser/waiting.ts'
import type { Session } from '../session/session.ts'
import type { WalletChannel, WalletFrame } from './frame.ts'

/** A statement with a window is about the key of the vault in that window. */
export type Statement = Omit<StatementInput, 'dialogKey'> & { window?: string }

export type Device = {
  /** What the vault of this channel states of a step, as the header of the call that it is for. */
  headersFor: (
    channel: WalletChannel,
    statement: Statement,
    asker?: Cancellable,
  ) => Promise<Readonly<Record<string, string>>>
  /** The login of this operation was answered. */
  file: (channel: WalletChannel, operationId: string, userId: string) => void
  /** Once what is under way is done, or has failed. */
  settled: () => Promise<void>
  /** A login that named no vault was answered. */
  bind: (answer: AuthAnswer) => void
}

export type DevicePorts = {
  frame: WalletFrame
  api: Api
  session: Pick<Session, 'state'>
  /** The thumbprint of the key that the dialog proves its calls with. */
  dialogKey: () => Promise<string>
}

export function createDevice({ frame, api, session, dialogKey }: DevicePorts): Device {
  /** A failure shows in the next step, which the server makes no token for. */
  let underWay: Promise<void> = Promise.resolve()
  const begin = (work: () => Promise<void>) => {
    underWay = underWay.then(work).catch(() => {})
  }

  async function stated(
    channel: WalletChannel,
    statement: Statement,
    userId: string | null,
    asker: Cancellable,
  ) {
    const asked = { ...statement, userId, dialogKey: await dialogKey() }
    const answer = await channel.call('operation:state', asked, asker)
    return { [product.headers.device]: answer.statement }
  }

  async function bindNow(secret: string, userId: string) {
    const channel = await frame.ready(walletLimits.frameReadyMs)
    const { operationId } = await channel.call('operation:begin', {})
    try {
      const operation = { id: operationId, step: 1 }
      const login = { purpose: 'login', operation, address: null, digest: null } as const
      const headers = await stated(channel, login, null, {})
      await api.call(sessionRoutes.bindDevice, { secret }, { headers })
      await channel.call('device:file', { operationId, userId })
    } finally {
      channel.call('operation:end', { operationId }).catch(() => {})
    }
  }

  return {
    async headersFor(channel, statement, asker = {}) {
      if (statement.purpose === 'login') return stated(channel, statement, null, asker)
      await orAborted(underWay, asker.signal)
      const state = session.state()
      const userId = state.status === 'authenticated' ? state.user.id : null
      return stated(channel, statement, userId, asker)
    },
    file: (channel, operationId, userId) =>
      begin(async () => void (await channel.call('device:file', { operationId, userId }))),
    settled: () => underWay,
    bind({ deviceSecret, user }) {
      if (deviceSecret !== undefined) begin(() => bindNow(deviceSecret, user.id))
    },
  }
}
