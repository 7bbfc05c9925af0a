import { createStore } from 'jotai/vanilla'
import { expect, test } from 'vitest'
import { settle } from '../../testing/clock.ts'
import { makeStage } from '../../testing/stage.ts'
import { viewAtom } from '../atoms.ts'
import { whenLost } from './lost.ts'

/** Creates a shell without React. `lost` reports a failed render. */
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

test('a screen that cannot be rendered rejects its call with a code and hides the frame', async () => {
  const { begin, clock, drawn, frame, lost } = makeShell()
  const { outcome } = begin()
  await settle()
  const cause = new RangeError('Maximum BigInt size exceeded')
  lost(cause)
  await settle()
  expect(outcome.error).toMatchObject({ code: 'internal_error', cause })
  // The same screen is not rendered again.
  expect(drawn).toEqual([])
  await clock.advance(200)
  expect(frame).toEqual(['show', 'hide'])
  expect(drawn).toEqual([undefined])
})

test('the next waiting call is shown after a screen that could not be rendered', async () => {
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
