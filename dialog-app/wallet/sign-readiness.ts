/**
 * Prepares an operation and a token while the user reviews a request, so that the press costs one round trip. The
 * token is renewed before it expires during the review.
 */
import { walletLimits } from '@latchkey/protocol'
import type { Clock } from '../browser/ports.ts'
import { type Cancellable, orAborted } from '../browser/waiting.ts'
import type { ConfirmedRequest } from './confirmed.ts'
import type { Handle, Operation, Operations, PreparedOperation, StepToken } from './operations.ts'

/** Options for the preparation. A token is fetched only for requests that the dialog may approve. */
export type PrepareSignOptions = Cancellable & { confirmation?: ConfirmedRequest | undefined }

export type SignReadiness = {
  /** Prepares until `take`, `drop` or the signal's abort. Failures are ignored; the signing call reports them. */
  prepare: (address: string, readyWaitMs: number, options: PrepareSignOptions) => void
  /** Hands the preparation over once. */
  take: (address: string, options: Cancellable) => Promise<PreparedOperation | undefined>
  drop: () => void
}

type Review = {
  address: string
  confirmation: ConfirmedRequest | undefined
  /** Aborts pending requests of the preparation. */
  controller: AbortController
  operation?: Operation
  token?: StepToken
  /** Resolves when the first token arrived or failed. */
  ready: Promise<void>
  stopTimer: () => void
}

export function createSignReadiness(ports: { operations: Operations; clock: Clock }): SignReadiness {
  const { operations, clock } = ports
  let current: Review | undefined

  async function begin(mine: Review, readyWaitMs: number) {
    const { signal } = mine.controller
    mine.operation = await operations.begin({ readyWaitMs, signal })
    if (mine.confirmation && mine.confirmation.place !== 'page') {
      await renew(mine, mine.operation, mine.confirmation)
    }
  }

  async function renew(mine: Review, operation: Operation, confirmation: Handle) {
    const { address, controller } = mine
    const { signal } = controller
    mine.token = await operations.requestToken(operation, 'sign', address, { signal, confirmation })
    if (current !== mine) return
    mine.stopTimer = clock.after(walletLimits.walletTokenRenewSeconds * 1_000, () => {
      // Without a fresh token, signing requests one after the press.
      renew(mine, operation, confirmation).catch(() => {})
    })
  }

  function drop() {
    if (current) discard(current)
  }

  function discard(mine: Review) {
    forget(mine)
    if (mine.operation) operations.end(mine.operation)
  }

  /** Stops renewing the token. */
  function forget(mine: Review) {
    if (current === mine) current = undefined
    mine.stopTimer()
    mine.controller.abort()
  }

  return {
    prepare(address, readyWaitMs, { signal, confirmation }) {
      drop()
      if (signal?.aborted) return
      const controller = new AbortController()
      const mine: Review = {
        address,
        confirmation,
        controller,
        ready: Promise.resolve(),
        stopTimer: () => {},
      }
      current = mine
      mine.ready = begin(mine, readyWaitMs).catch(() => {})
      signal?.addEventListener('abort', () => current === mine && drop(), { once: true })
    },
    async take(address, { signal }) {
      const mine = current
      if (mine?.address !== address) return undefined
      current = undefined
      try {
        await orAborted(mine.ready, signal)
      } catch (error) {
        discard(mine)
        throw error
      }
      forget(mine)
      return mine.operation && { operation: mine.operation, token: mine.token }
    },
    drop,
  }
}
