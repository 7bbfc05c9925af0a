import { rejectedError } from '../../approval/rejection.ts'
import { done, type Flow, failed } from '../../flow/flow.ts'
import { screen } from '../../flow/screen.ts'
import type { ShownBatch } from './batch-screen.tsx'
import type { Outcome } from './batch-status.ts'
import { batchScreen } from './screens.ts'

/**
 * What is to come. Nothing is approved by going on: each transaction is, by itself. The list stays until the first of
 * them wants the card, or is closed by whoever got the answer.
 */
export const reviewBatch =
  (batch: ShownBatch): Flow<() => void> =>
  (handle) => {
    const end = () => handle.end()
    const shown = (isGoingOn: boolean) =>
      screen(batchScreen, { status: 'review', isGoingOn, ...batch }, { goOn, leave: end })
    function goOn() {
      handle.update(shown(true))
      handle.settle(done(end))
    }
    return {
      kind: 'approval',
      run: () => handle.go(shown(false)),
      onClose: () => failed(rejectedError()),
    }
  }

/** What became of it, until its user has seen it. */
export const showOutcomes =
  (batch: ShownBatch, outcomes: readonly Outcome[]): Flow<void> =>
  (handle) => {
    const leave = () => handle.end(done(undefined))
    return {
      kind: 'approval',
      run: () =>
        handle.go(screen(batchScreen, { status: 'outcomes', outcomes, ...batch }, { goOn: leave, leave })),
      onClose: () => done(undefined),
    }
  }
