/**
 * Operations of the vault. Each has a key pair of its own, made when it begins; each of its steps takes a wallet
 * token of its own, made by the server for that key, that step, its purpose and one wallet.
 */

import { LatchkeyError, walletLimits } from '@latchkey/protocol'
import { walletTokenRoutes } from '@latchkey/protocol/api'
import type { OperationStep, WalletPurpose } from '@latchkey/protocol/wallet'
import * as v from 'valibot'
import type { Api } from '../api/client.ts'
import type { Clock } from '../browser/ports.ts'
import type { Cancellable } from '../browser/waiting.ts'
import type { Confirmed } from './confirmed.ts'
import type { Device } from './device.ts'
import type { WalletChannel, WalletFrame } from './frame.ts'

export type Operation = {
  id: string
  /** The public half of its key pair: the server seals to it, and names it in each token. */
  publicKey: string
  /** The frame that the operation lives in. It does not outlive it. */
  channel: WalletChannel
  /** The window whose vault has that key pair; without one it is the frame's. */
  window?: string
  nextStep: () => OperationStep
}

/** What the call of a step carries. */
export type StepData = { accessToken: string; operation: OperationStep }

export type StepToken = {
  purpose: WalletPurpose
  address: string | null
  /** The handle of what it is to sign. */
  confirmation: Handle | null
  /** Before it was asked for: it was made later. */
  askedAtMs: number
  data: StepData
}

/** What was confirmed, under the name that the server knows it by. */
export type Handle = Pick<Confirmed, 'handle' | 'digest'>

/** An operation that was begun ahead, and the token of its next step where there is one. */
export type Prepared = { operation: Operation; token?: StepToken | undefined }

export type Step = Cancellable & {
  purpose: WalletPurpose
  /** The wallet that the step is about; null where one is to be made. */
  address: string | null
  /** The handle of what is signed, which is put to the server where nobody did that before. */
  confirmation?: () => Promise<Handle>
  readyWaitMs: number
}

/** A token for a signature names what is to be signed. */
export type TokenAsker = Cancellable & { confirmation?: Handle | null }

export type Operations = {
  begin: (options: Cancellable & { readyWaitMs: number }) => Promise<Operation>
  tokenFor: (
    operation: Operation,
    purpose: WalletPurpose,
    address: string | null,
    asker?: TokenAsker,
  ) => Promise<StepToken>
  end: (operation: Operation) => void
  /** A token that will not run out on its way. */
  isFresh: (token: StepToken) => boolean
  /**
   * An operation of one step. One whose key pair, frame or token is gone is begun anew, once: that is safe, since
   * creating tells the wallet that is there, and signing changes nothing.
   */
  runStep: <T>(
    step: Step,
    run: (channel: WalletChannel, data: StepData, publicKey: string) => Promise<T>,
    prepared?: Prepared | undefined,
  ) => Promise<T>
}

const { walletTokenSeconds, walletTokenLeftSeconds } = walletLimits
const freshForMs = (walletTokenSeconds - walletTokenLeftSeconds) * 1_000

export function createOperations(ports: {
  frame: WalletFrame
  api: Api
  clock: Clock
  device: Pick<Device, 'headersFor'>
}): Operations {
  const { frame, api, clock, device } = ports

  async function begin({ readyWaitMs, signal }: Cancellable & { readyWaitMs: number }) {
    const channel = await frame.ready(readyWaitMs, { signal })
    const { operationId, publicKey } = await channel.call('operation:begin', {}, { signal })
    let taken = 0
    const nextStep = () => {
      taken += 1
      return { id: operationId, step: taken }
    }
    return { id: operationId, publicKey, channel, nextStep }
  }

  async function tokenFor(
    { publicKey, channel, window, nextStep }: Operation,
    purpose: WalletPurpose,
    address: string | null,
    { signal, confirmation = null }: TokenAsker = {},
  ): Promise<StepToken> {
    const operation = nextStep()
    const askedAtMs = clock.nowMs()
    const digest = confirmation?.digest ?? null
    const stated = { purpose, operation, address, digest, ...(window !== undefined && { window }) }
    const headers = await device.headersFor(channel, stated, { signal })
    const { token } = await api.call(
      walletTokenRoutes.walletToken,
      { publicKey, operation, purpose, address, confirmation: confirmation?.handle ?? null },
      { signal, headers },
    )
    return { purpose, address, confirmation, askedAtMs, data: { accessToken: token, operation } }
  }

  /** Nobody waits for it; the vault ends an operation that was left by itself. */
  function end({ channel, id }: Operation) {
    channel.call('operation:end', { operationId: id }).catch(() => {})
  }

  const isFresh = ({ askedAtMs }: StepToken) => clock.nowMs() - askedAtMs < freshForMs

  async function runOnce<T>(
    step: Step,
    run: (channel: WalletChannel, data: StepData, publicKey: string) => Promise<T>,
    prepared?: Prepared | undefined,
  ): Promise<T> {
    const { purpose, address, signal } = step
    const operation = prepared?.operation ?? (await begin(step))
    try {
      const ready = prepared?.token
      const confirmation = (await step.confirmation?.()) ?? null
      const fits =
        ready?.purpose === purpose &&
        ready.address === address &&
        ready.confirmation?.handle === confirmation?.handle &&
        isFresh(ready)
      const { data } = fits ? ready : await tokenFor(operation, purpose, address, { signal, confirmation })
      return await run(operation.channel, data, operation.publicKey)
    } finally {
      end(operation)
    }
  }

  return {
    begin,
    tokenFor,
    end,
    isFresh,
    async runStep(step, run, prepared) {
      try {
        return await runOnce(step, run, prepared)
      } catch (error) {
        if (!isBegunAnew(error)) throw error
        return runOnce(step, run)
      }
    },
  }
}

const goneCodes: ReadonlySet<string> = new Set([
  'vault_operation_unknown',
  'frame_reloaded',
  'channel_closed',
])

/** The frame tells what the server answered to it as a detail. */
const frameProblem = v.object({ code: v.literal('missing_or_invalid_token') })

export const isBegunAnew = (error: unknown) =>
  error instanceof LatchkeyError &&
  (goneCodes.has(error.code) || (error.code === 'error' && v.is(frameProblem, error.details)))
