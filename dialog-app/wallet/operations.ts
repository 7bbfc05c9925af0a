/**
 * Vault operations. Each operation has its own key pair. Each of its steps needs a wallet token, which the server
 * issues for that key, step, purpose and wallet.
 */

import { LatchkeyError, walletLimits } from '@latchkey/protocol'
import { walletTokenRoutes } from '@latchkey/protocol/api'
import type { OperationStep, PendingWallet, WalletPurpose } from '@latchkey/protocol/wallet'
import * as v from 'valibot'
import type { Api } from '../api/client.ts'
import type { Clock } from '../browser/ports.ts'
import type { Cancellable } from '../browser/waiting.ts'
import type { ConfirmedRequest } from './confirmed.ts'
import type { Device } from './device.ts'
import type { WalletChannel, WalletFrame } from './frame.ts'

export type Operation = {
  id: string
  /** The operation's public key. The server seals to it and names it in each token. */
  publicKey: string
  /** The frame that holds the operation. The operation ends with it. */
  channel: WalletChannel
  /** The window with the vault that holds the key pair. Defaults to the wallet frame. */
  window?: string
  nextStep: () => OperationStep
}

/** The data that a step's call carries. `place`: the slot that a login reserved for a new wallet. */
export type StepData = { accessToken: string; operation: OperationStep; place?: PendingWallet }

export type StepToken = {
  purpose: WalletPurpose
  address: string | null
  /** The handle of the confirmation to sign. */
  confirmation: Handle | null
  /** Taken before the request, so it is never later than the token's creation. */
  requestedAtMs: number
  data: StepData
}

/** A confirmation as the server identifies it. */
export type Handle = Pick<ConfirmedRequest, 'handle' | 'digest'>

/** A prepared operation, with the token of its next step if available. */
export type PreparedOperation = { operation: Operation; token?: StepToken | undefined }

export type Step = Cancellable & {
  purpose: WalletPurpose
  /** The wallet of the step, or null if the step creates one. */
  address: string | null
  /** Returns the confirmation to sign, and puts the request first if needed. */
  confirmation?: () => Promise<Handle>
  readyWaitMs: number
}

/** Options for a token. A signing token names its confirmation. */
export type TokenOptions = Cancellable & { confirmation?: Handle | null }

export type Operations = {
  begin: (options: Cancellable & { readyWaitMs: number }) => Promise<Operation>
  requestToken: (
    operation: Operation,
    purpose: WalletPurpose,
    address: string | null,
    options?: TokenOptions,
  ) => Promise<StepToken>
  end: (operation: Operation) => void
  /** Returns whether the token stays valid long enough for a call. */
  isFresh: (token: StepToken) => boolean
  /**
   * Runs an operation with one step. If its key pair, frame or token is gone, it retries once with a new operation.
   * Retrying is safe: creating returns an existing wallet, and signing changes no state.
   */
  runStep: <T>(
    step: Step,
    run: (channel: WalletChannel, data: StepData, publicKey: string) => Promise<T>,
    prepared?: PreparedOperation | undefined,
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
    let stepCount = 0
    const nextStep = () => {
      stepCount += 1
      return { id: operationId, step: stepCount }
    }
    return { id: operationId, publicKey, channel, nextStep }
  }

  async function requestToken(
    { publicKey, channel, window, nextStep }: Operation,
    purpose: WalletPurpose,
    address: string | null,
    { signal, confirmation = null }: TokenOptions = {},
  ): Promise<StepToken> {
    const operation = nextStep()
    const requestedAtMs = clock.nowMs()
    const digest = confirmation?.digest ?? null
    const statement = { purpose, operation, address, digest, ...(window !== undefined && { window }) }
    const headers = await device.headersFor(channel, statement, { signal })
    const { token } = await api.call(
      walletTokenRoutes.walletToken,
      { publicKey, operation, purpose, address, confirmation: confirmation?.handle ?? null },
      { signal, headers },
    )
    return { purpose, address, confirmation, requestedAtMs, data: { accessToken: token, operation } }
  }

  /** Does not wait: the vault also ends abandoned operations by itself. */
  function end({ channel, id }: Operation) {
    channel.call('operation:end', { operationId: id }).catch(() => {})
  }

  const isFresh = ({ requestedAtMs: askedAtMs }: StepToken) => clock.nowMs() - askedAtMs < freshForMs

  async function runOnce<T>(
    step: Step,
    run: (channel: WalletChannel, data: StepData, publicKey: string) => Promise<T>,
    prepared?: PreparedOperation | undefined,
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
      const { data } = fits
        ? ready
        : await requestToken(operation, purpose, address, { signal, confirmation })
      return await run(operation.channel, data, operation.publicKey)
    } finally {
      end(operation)
    }
  }

  return {
    begin,
    requestToken,
    end,
    isFresh,
    async runStep(step, run, prepared) {
      try {
        return await runOnce(step, run, prepared)
      } catch (error) {
        if (!isRetryable(error)) throw error
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

/** The frame forwards the server's error code in the details. */
const frameProblem = v.object({ code: v.literal('missing_or_invalid_token') })

export const isRetryable = (error: unknown) =>
  error instanceof LatchkeyError &&
  (goneCodes.has(error.code) || (error.code === 'error' && v.is(frameProblem, error.details)))
