/**
 * The operation that is begun while a code is typed, so that a login can name its key, and what the answer of the
 * login brings for it: the token of its first step.
 */
import { embeddedWallet, LatchkeyError } from '@latchkey/protocol'
import type { AuthAnswer } from '@latchkey/protocol/api'
import type { NamedVaultKey } from '@latchkey/protocol/wallet'
import type { Clock } from '../ports.ts'
import { orAborted, within } from '../waiting.ts'
import type { Operation, Operations, Prepared, Step, StepToken } from './operations.ts'

export type LoginOperation = {
  /** Begins it, if none waits; a failure is left to whoever needs one. */
  readonly prepare: (readyWaitMs: number) => void
  /** For the body of a login; undefined as long as none is ready. */
  readonly vault: () => NamedVaultKey | undefined
  /** What the login with this key was answered. */
  readonly accept: (vault: NamedVaultKey | undefined, answer: AuthAnswer) => void
  /** Hands it over, once. The token is the one of this user, or none. */
  readonly take: (step: Step, userId: string | undefined) => Promise<Prepared | undefined>
  readonly drop: () => void
}

type Waiting = {
  readonly operation: Operation
  named?: { readonly vault: NamedVaultKey; readonly atMs: number }
  granted?: { readonly userId: string; readonly token: StepToken }
}

export function createLoginOperation(ports: {
  readonly operations: Operations
  readonly clock: Clock
}): LoginOperation {
  const { operations, clock } = ports
  let waiting: Waiting | undefined
  let beginning: Promise<void> | undefined

  async function begin(readyWaitMs: number) {
    try {
      waiting = { operation: await operations.begin({ readyWaitMs }) }
    } catch {
      // Whoever needs an operation begins one, and hears what is wrong.
    } finally {
      beginning = undefined
    }
  }

  return {
    prepare(readyWaitMs) {
      if (!waiting) beginning ??= begin(readyWaitMs)
    },
    vault() {
      if (!waiting) return undefined
      const { publicKey, nextStep } = waiting.operation
      const vault = { publicKey, operation: nextStep() }
      waiting.named = { vault, atMs: clock.nowMs() }
      return vault
    },
    accept(vault, { user, walletToken }) {
      const named = waiting?.named
      if (!waiting || !walletToken || !named || named.vault !== vault) return
      const { token: accessToken, purpose } = walletToken
      const data = { accessToken, operation: named.vault.operation }
      const address = purpose === 'create' ? null : (embeddedWallet(user)?.address ?? null)
      waiting.granted = {
        userId: user.id,
        token: { purpose, address, confirmation: null, askedAtMs: named.atMs, data },
      }
    },
    async take({ readyWaitMs, signal }, userId) {
      if (beginning) await orAborted(within(clock, readyWaitMs, beginning, frameIsLate), signal)
      if (!waiting) return undefined
      const { operation, granted } = waiting
      waiting = undefined
      return { operation, token: granted?.userId === userId ? granted?.token : undefined }
    },
    drop() {
      if (waiting) operations.end(waiting.operation)
      waiting = undefined
    },
  }
}

const frameIsLate = () => new LatchkeyError('frame_unresponsive', 'The wallet was not ready in time')
