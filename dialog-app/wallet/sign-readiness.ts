/**
 * An operation and a token that are ready while a person reads what they are asked to sign, so that their press
 * costs one trip. The token is renewed before it runs out, for as long as they read.
 */
import { walletLimits } from '@latchkey/protocol'
import type { Clock } from '../browser/ports.ts'
import { type Cancellable, orAborted } from '../browser/waiting.ts'
import type { Confirmed } from './confirmed.ts'
import type { Handle, Operation, Operations, Prepared, StepToken } from './operations.ts'

/** A token is fetched ahead for what may be approved in the frame; for anything else the operation alone is begun. */
export type PreparingAsker = Cancellable & { confirmation?: Confirmed | undefined }

export type SignReadiness = {
  /** From now on, until it is taken, or the signal ends. A failure is left to whoever signs. */
  prepare: (address: string, readyWaitMs: number, asker: PreparingAsker) => void
  /** Hands it over, once. */
  take: (address: string, asker: Cancellable) => Promise<Prepared | undefined>
  drop: () => void
}

type Review = {
  address: string
  confirmation: Confirmed | undefined
  /** Ends what is still asked for it. */
  controller: AbortController
  operation?: Operation
  token?: StepToken
  /** The first token, or its failure. */
  ready: Promise<void>
  stopTimer: () => void
}

export function createSignReadiness(ports: { operations: Operations; clock: Clock }): SignReadiness {
  const { operations, clock } = ports
  let review: Review | undefined

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
    mine.token = await operations.tokenFor(operation, 'sign', address, { signal, confirmation })
    if (review !== mine) return
    mine.stopTimer = clock.after(walletLimits.walletTokenRenewSeconds * 1_000, () => {
      // Without a fresh token, one is asked for after the press.
      renew(mine, operation, confirmation).catch(() => {})
    })
  }

  function drop() {
    if (review) discard(review)
  }

  function discard(mine: Review) {
    forget(mine)
    if (mine.operation) operations.end(mine.operation)
  }

  /** Nothing is asked for it any more. */
  function forget(mine: Review) {
    if (review === mine) review = undefined
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
      review = mine
      mine.ready = begin(mine, readyWaitMs).catch(() => {})
      signal?.addEventListener('abort', () => review === mine && drop(), { once: true })
    },
    async take(address, { signal }) {
      const mine = review
      if (mine?.address !== address) return undefined
      review = undefined
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
