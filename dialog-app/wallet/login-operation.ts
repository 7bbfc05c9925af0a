/**
 * The operation that begins while the user types a code. The login names its key and binds its device, and the
 * login's answer may contain the token of the first step.
 */
import { findEmbeddedWallet, LatchkeyError, walletLimits } from '@latchkey/protocol'
import type { AuthAnswer } from '@latchkey/protocol/api'
import type { VaultKey } from '@latchkey/protocol/wallet'
import type { Clock } from '../browser/ports.ts'
import { orAborted, withDeadline } from '../browser/waiting.ts'
import type { Device } from './device.ts'
import type { Operation, Operations, PreparedOperation, Step, StepToken } from './operations.ts'

/** The login's vault data: the waiting vault's key for the body, and its device statement as a header. */
export type LoginVault = {
  vault: VaultKey
  headers: Readonly<Record<string, string>>
}

export type LoginOperation = {
  /** Begins an operation if none waits. Failures are ignored; the next caller sees them. */
  prepare: (readyWaitMs: number) => void
  /** Undefined until an operation is ready. */
  vault: () => LoginVault | undefined
  /** Accepts the answer of the login that sent this vault data. */
  accept: (sentVault: LoginVault | undefined, answer: AuthAnswer) => void
  /** Hands the operation over once, with its token if that is for this user. */
  take: (step: Step, userId: string | undefined) => Promise<PreparedOperation | undefined>
  drop: () => void
}

type WaitingOperation = {
  operation: Operation
  begunAtMs: number
  loginVault: LoginVault
  sentAtMs?: number
  grant?: { userId: string; token: StepToken }
}

export function createLoginOperation(ports: {
  operations: Operations
  device: Device
  clock: Clock
}): LoginOperation {
  const { operations, device, clock } = ports
  let waiting: WaitingOperation | undefined
  let pendingBegin: Promise<void> | undefined

  async function begin(readyWaitMs: number) {
    try {
      const begunAtMs = clock.nowMs()
      const operation = await operations.begin({ readyWaitMs })
      // Every attempt of the login names the same step, and one attempt is answered with its token.
      const vault = { publicKey: operation.publicKey, operation: operation.nextStep() }
      const statement = { purpose: 'login', operation: vault.operation, address: null, digest: null } as const
      const headers = await device.headersFor(operation.channel, statement)
      waiting = { operation, begunAtMs, loginVault: { vault, headers } }
    } catch {
      // The caller that needs an operation begins one and gets the error.
    } finally {
      pendingBegin = undefined
    }
  }

  function drop() {
    if (waiting) operations.end(waiting.operation)
    waiting = undefined
  }

  return {
    prepare(readyWaitMs) {
      if (!waiting) pendingBegin ??= begin(readyWaitMs)
    },
    vault() {
      // An operation that ends before the answer would leave the session with a lost device key.
      if (waiting && clock.nowMs() - waiting.begunAtMs > usableMs) drop()
      if (!waiting) return undefined
      waiting.sentAtMs = clock.nowMs()
      return waiting.loginVault
    },
    accept(sentVault, answer) {
      const { user, walletToken } = answer
      const sentAtMs = waiting?.sentAtMs
      if (!waiting || sentAtMs === undefined || waiting.loginVault !== sentVault) return device.bind(answer)
      const { operation } = waiting
      device.file(operation.channel, operation.id, user.id)
      if (!walletToken) return
      const { token: accessToken, purpose, place } = walletToken
      const data = { accessToken, operation: sentVault.vault.operation, ...(place && { place }) }
      const address = purpose === 'create' ? null : (findEmbeddedWallet(user)?.address ?? null)
      waiting.grant = {
        userId: user.id,
        token: { purpose, address, confirmation: null, requestedAtMs: sentAtMs, data },
      }
    },
    async take({ readyWaitMs, signal }, userId) {
      if (pendingBegin) await orAborted(withDeadline(clock, readyWaitMs, pendingBegin, frameTimeout), signal)
      if (!waiting) return undefined
      const { operation, grant } = waiting
      waiting = undefined
      // The vault signs the token request with the user's device key.
      await orAborted(device.settled(), signal)
      return { operation, token: grant?.userId === userId ? grant?.token : undefined }
    },
    drop,
  }
}

/** A login takes at most 90 s, retries included. */
const usableMs = walletLimits.operationMs - 90_000

const frameTimeout = () => new LatchkeyError('frame_unresponsive', 'The wallet was not ready in time')
