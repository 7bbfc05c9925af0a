/**
 * The operation that is begun while a code is typed, so that a login can name its key and bind its device, and what the
 * answer of the login brings for it: the token of its first step.
 */
import { findEmbeddedWallet, LatchkeyError, walletLimits } from '@latchkey/protocol'
import type { AuthAnswer } from '@latchkey/protocol/api'
import type { VaultKey } from '@latchkey/protocol/wallet'
import type { Clock } from '../browser/ports.ts'
import { orAborted, within } from '../browser/waiting.ts'
import type { Device } from './device.ts'
import type { Operation, Operations, Prepared, Step, StepToken } from './operations.ts'

/** What a login says of the vault that waits: its key in the body, and in a header that this device stated it. */
export type LoginVault = {
  vault: VaultKey
  headers: Readonly<Record<string, string>>
}

export type LoginOperation = {
  /** Begins it, if none waits; a failure is left to whoever needs one. */
  prepare: (readyWaitMs: number) => void
  /** Undefined as long as none is ready. */
  vault: () => LoginVault | undefined
  /** What the login that said this was answered. */
  accept: (said: LoginVault | undefined, answer: AuthAnswer) => void
  /** Hands it over, once. The token is the one of this user, or none. */
  take: (step: Step, userId: string | undefined) => Promise<Prepared | undefined>
  drop: () => void
}

type Waiting = {
  operation: Operation
  begunAtMs: number
  said: LoginVault
  saidAtMs?: number
  granted?: { userId: string; token: StepToken }
}

export function createLoginOperation(ports: {
  operations: Operations
  device: Device
  clock: Clock
}): LoginOperation {
  const { operations, device, clock } = ports
  let waiting: Waiting | undefined
  let beginning: Promise<void> | undefined

  async function begin(readyWaitMs: number) {
    try {
      const begunAtMs = clock.nowMs()
      const operation = await operations.begin({ readyWaitMs })
      // Each try of the login names the same step: one of them is answered with its token.
      const vault = { publicKey: operation.publicKey, operation: operation.nextStep() }
      const statement = { purpose: 'login', operation: vault.operation, address: null, digest: null } as const
      const headers = await device.headersFor(operation.channel, statement)
      waiting = { operation, begunAtMs, said: { vault, headers } }
    } catch {
      // Whoever needs an operation begins one, and hears what is wrong.
    } finally {
      beginning = undefined
    }
  }

  function drop() {
    if (waiting) operations.end(waiting.operation)
    waiting = undefined
  }

  return {
    prepare(readyWaitMs) {
      if (!waiting) beginning ??= begin(readyWaitMs)
    },
    vault() {
      // One that ends before the answer would leave the session with a device that is gone.
      if (waiting && clock.nowMs() - waiting.begunAtMs > usableMs) drop()
      if (!waiting) return undefined
      waiting.saidAtMs = clock.nowMs()
      return waiting.said
    },
    accept(said, answer) {
      const { user, walletToken } = answer
      const saidAtMs = waiting?.saidAtMs
      if (!waiting || saidAtMs === undefined || waiting.said !== said) return device.bind(answer)
      const { operation } = waiting
      device.file(operation.channel, operation.id, user.id)
      if (!walletToken) return
      const { token: accessToken, purpose } = walletToken
      const data = { accessToken, operation: said.vault.operation }
      const address = purpose === 'create' ? null : (findEmbeddedWallet(user)?.address ?? null)
      waiting.granted = {
        userId: user.id,
        token: { purpose, address, confirmation: null, askedAtMs: saidAtMs, data },
      }
    },
    async take({ readyWaitMs, signal }, userId) {
      if (beginning) await orAborted(within(clock, readyWaitMs, beginning, frameIsLate), signal)
      if (!waiting) return undefined
      const { operation, granted } = waiting
      waiting = undefined
      // The vault signs for the token with the key of the user.
      await orAborted(device.settled(), signal)
      return { operation, token: granted?.userId === userId ? granted?.token : undefined }
    },
    drop,
  }
}

/** A login is answered in a minute and a half, with all its retries. */
const usableMs = walletLimits.operationMs - 90_000

const frameIsLate = () => new LatchkeyError('frame_unresponsive', 'The wallet was not ready in time')
