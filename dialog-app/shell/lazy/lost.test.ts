import { createStore } from 'jotai/vanilla'
import { expect, test } from 'vitest'
import { settle } from '../../testing/clock.ts'
import { makeStage } from '../../testing/stage.ts'
import { viewAtom } from '../atoms.ts'
import { whenLost } from './lost.ts'

/** A shell of which the test says that it could not draw what there is. */
function makeShell() {
  const store = createStore()
  const made = makeStage({ setView: (view) => store.set(viewAtom, view) })
  const { back, close, skip, lose } = made.stage
  const drawn: (string | undefined)[] = []
  const core = {
    store,
    back,
    close,
    skip,
    lose,
    drawn: () => {},
    focused: () => {},
  }
  const lost = whenLost(core, () => void drawn.push(store.get(viewAtom).screen?.name))
  return { ...made, drawn, lost }
}

test('a screen that can not be drawn fails who waits behind it with a code, and the frame goes', async () => {
  const { begin, clock, drawn, frame, lost } = makeShell()
  const { outcome } = begin()
  await settle()
  const cause = new RangeError('Maximum BigInt size exceeded')
  lost(cause)
  await settle()
  expect(outcome.error).toMatchObject({ code: 'internal_error', cause })
  // Nothing is drawn as long as it would be the same.
  expect(drawn).toEqual([])
  await clock.advance(200)
  expect(frame).toEqual(['show', 'hide'])
  expect(drawn).toEqual([undefined])
})

test('whoever waited for a turn has a screen after it', async () => {
  const { begin, clock, drawn, frame, lost, stage, view } = makeShell()
  const first = begin()
  const next = begin()
  await settle()
  lost(new RangeError())
  await settle()
  expect(first.outcome.error).toMatchObject({ code: 'internal_error' })
  await clock.advance(200)
  expect(drawn).toEqual([undefined])
  expect(frame).toEqual(['show', 'hide', 'show'])
  expect(view()).toMatchObject({ open: true, screen: { name: 'FIRST' } })
  stage.close()
  await settle()
  expect(next.outcome.error).toMatchObject({ code: 'exited_auth_flow' })
})
