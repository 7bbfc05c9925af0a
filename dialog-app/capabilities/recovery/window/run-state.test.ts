import { describe, expect, test } from 'vitest'
import { playing } from '../../../testing/machine.ts'
import { type RunEvent, type RunState, runStep } from './run-state.ts'

type Event = RunEvent<'failed'>
const after = playing(runStep<'failed'>())
const beginning: RunState<'failed'> = { phase: { at: 'beginning' } }
const buttonUrl = 'https://wallet.example/open-window'
const asking = { at: 'asking', buttonUrl } as const
const window = { at: 'window', window: 'open', buttonUrl } as const
const again = { at: 'asking', buttonUrl, problem: 'failed' } as const
const failed: Event = { type: 'window failed', problem: 'failed' }

const toAsking: readonly Event[] = [{ type: 'begin' }, { type: 'window shown', step: asking }]
const toWindow: readonly Event[] = [
  ...toAsking,
  { type: 'pressed', state: 'open' },
  { type: 'window shown', step: window },
]
const toUsing: readonly Event[] = [...toWindow, { type: 'given' }]
const toDone: readonly Event[] = [...toUsing, { type: 'used' }]

describe('the machine of a recovery that is given in a window', () => {
  test.each([
    ['asks for a window', [{ type: 'begin' }], beginning.phase, ['ask']],
    ['shows its button', toAsking, { at: 'waiting', step: asking }, ['show']],
    ['hears what the button opened', toWindow.slice(0, 3), { at: 'waiting', step: asking }, ['hear']],
    ['shows that a window is open', toWindow, { at: 'waiting', step: window }, []],
    ['uses what was given there', toUsing, { at: 'using', step: window }, []],
    ['is over once that worked', toDone, { at: 'done' }, ['resolve']],
    [
      'tells of a window that has nothing to give',
      [...toWindow, { type: 'refused', cause: 'closed' }],
      { at: 'waiting', step: window },
      ['tell refusal'],
    ],
    [
      'waits again where the same window asks again',
      [...toUsing, { type: 'asked again' }],
      { at: 'waiting', step: window },
      [],
    ],
    [
      'asks for another window where one failed',
      [...toWindow, failed],
      { at: 'waiting', step: window },
      ['ask'],
    ],
    [
      'asks for another window where what was given did not work',
      [...toUsing, failed],
      { at: 'using', step: window },
      ['ask'],
    ],
    [
      'shows the button of the other window, with what went wrong',
      [...toUsing, failed, { type: 'window shown', step: again }],
      { at: 'waiting', step: again },
      [],
    ],
  ] satisfies readonly (readonly [string, readonly Event[], object, readonly string[]])[])(
    '%s',
    (_, events, phase, effects) => {
      const played = after(beginning, ...events)
      expect(played.phase).toEqual(phase)
      expect(played.effects.map(({ type }) => type)).toEqual(effects)
    },
  )

  test.each([
    ['what becomes of the window whose answer is used', toUsing, { type: 'window shown', step: window }],
    ['a press while what was given is used', toUsing, { type: 'pressed', state: 'closed' }],
    ['a failure of what was given, which is no refusal', toUsing, { type: 'refused', cause: 'failed' }],
    ['what becomes of the window after it worked', toDone, { type: 'window shown', step: again }],
  ] satisfies readonly (readonly [string, readonly Event[], Event])[])(
    'is not changed by %s',
    (_, events, event) => {
      const { state } = after(beginning, ...events)
      const next = runStep<'failed'>()(state, event)
      expect(next).toEqual([state])
      expect(next[0]).toBe(state)
    },
  )
})
