import { LatchkeyError } from '@latchkey/protocol'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ConnectionEvent, type Effect, type Next, type State, step } from './connection-state.ts'

const error = new LatchkeyError('server_unreachable', 'gone')
const reloaded = new LatchkeyError('frame_reloaded', 'reloaded')

const states = {
  loading: { name: 'loading' },
  silent: { name: 'silent' },
  'greeting, load due': { name: 'greeting', load: 'due' },
  'greeting, load seen': { name: 'greeting', load: 'seen' },
  'greeting, load unknown': { name: 'greeting', load: 'unknown' },
  'ready, load due': { name: 'ready', load: 'due' },
  'ready, load seen': { name: 'ready', load: 'seen' },
  'ready, load unknown': { name: 'ready', load: 'unknown' },
  'probing, greeting, load due': { name: 'probing', previous: { name: 'greeting', load: 'due' } },
  'probing, greeting, load seen': { name: 'probing', previous: { name: 'greeting', load: 'seen' } },
  'probing, greeting, load unknown': { name: 'probing', previous: { name: 'greeting', load: 'unknown' } },
  'probing, ready, load due': { name: 'probing', previous: { name: 'ready', load: 'due' } },
  'probing, ready, load seen': { name: 'probing', previous: { name: 'ready', load: 'seen' } },
  'probing, ready, load unknown': { name: 'probing', previous: { name: 'ready', load: 'unknown' } },
  diagnosing: { name: 'diagnosing' },
  lost: { name: 'lost', error },
} as const satisfies Record<string, State>
type StateLabel = keyof typeof states

const events = {
  load: { name: 'load' },
  handshake: { name: 'handshake' },
  greeted: { name: 'greeted' },
  refused: { name: 'refused', error },
  'refused by a reload': { name: 'refused', error: reloaded },
  late: { name: 'late' },
  overdue: { name: 'overdue' },
  closed: { name: 'closed' },
  unanswered: { name: 'unanswered' },
  alive: { name: 'alive' },
  dead: { name: 'dead' },
  'diagnosed for certain': { name: 'diagnosed', certain: true, error },
  'diagnosed as a guess': { name: 'diagnosed', certain: false, error },
  lose: { name: 'lose', error },
} as const satisfies Record<string, ConnectionEvent>
type EventLabel = keyof typeof events

type Change = readonly [StateLabel, ...Effect[]]
const silent: Change = ['silent', 'awaitHandshake']
const diagnoses = (label: StateLabel): Change => [label, 'diagnose']
const hiddenAgain: Change = ['silent', 'hide', 'awaitHandshake']
const diagnosedAndHidden: Change = ['diagnosing', 'hide', 'diagnose']
const lost: Change = ['lost', 'end']
const newDocument: Change = ['greeting, load due', 'stopWaiting', 'hide', 'greet']
const someDocument: Change = ['greeting, load unknown', 'stopWaiting', 'hide', 'greet']
const probes = (label: StateLabel): Change => [label, 'probe']

/** The expected transitions. Missing entries change nothing and have no effects. */
const changes: Record<StateLabel, Partial<Record<EventLabel, Change>>> = {
  loading: {
    load: silent,
    handshake: newDocument,
    late: diagnoses('loading'),
    overdue: diagnosedAndHidden,
    closed: diagnosedAndHidden,
    'diagnosed for certain': lost,
    lose: lost,
  },
  silent: {
    load: silent,
    handshake: someDocument,
    late: diagnoses('silent'),
    overdue: diagnosedAndHidden,
    closed: diagnosedAndHidden,
    unanswered: diagnosedAndHidden,
    'diagnosed for certain': lost,
    lose: lost,
  },
  'greeting, load due': {
    load: ['greeting, load seen'],
    handshake: newDocument,
    greeted: ['ready, load due'],
    refused: lost,
    closed: diagnosedAndHidden,
    unanswered: probes('probing, greeting, load due'),
    lose: lost,
  },
  'greeting, load seen': {
    load: hiddenAgain,
    handshake: newDocument,
    greeted: ['ready, load seen'],
    refused: lost,
    closed: diagnosedAndHidden,
    unanswered: probes('probing, greeting, load seen'),
    lose: lost,
  },
  'greeting, load unknown': {
    load: probes('probing, greeting, load seen'),
    handshake: newDocument,
    greeted: ['ready, load unknown'],
    refused: lost,
    closed: diagnosedAndHidden,
    unanswered: probes('probing, greeting, load unknown'),
    lose: lost,
  },
  'ready, load due': {
    load: ['ready, load seen'],
    handshake: newDocument,
    closed: diagnosedAndHidden,
    unanswered: probes('probing, ready, load due'),
    lose: lost,
  },
  'ready, load seen': {
    load: hiddenAgain,
    handshake: newDocument,
    closed: diagnosedAndHidden,
    unanswered: probes('probing, ready, load seen'),
    lose: lost,
  },
  'ready, load unknown': {
    load: probes('probing, ready, load seen'),
    handshake: newDocument,
    closed: diagnosedAndHidden,
    unanswered: probes('probing, ready, load unknown'),
    lose: lost,
  },
  'probing, greeting, load due': {
    load: ['probing, greeting, load seen'],
    handshake: someDocument,
    greeted: ['ready, load due'],
    refused: lost,
    closed: diagnosedAndHidden,
    alive: ['greeting, load due'],
    dead: diagnosedAndHidden,
    lose: lost,
  },
  'probing, greeting, load seen': {
    load: ['probing, greeting, load seen'],
    handshake: someDocument,
    greeted: ['ready, load seen'],
    refused: lost,
    closed: diagnosedAndHidden,
    alive: ['greeting, load seen'],
    dead: diagnosedAndHidden,
    lose: lost,
  },
  'probing, greeting, load unknown': {
    load: ['probing, greeting, load seen'],
    handshake: someDocument,
    greeted: ['ready, load unknown'],
    refused: lost,
    closed: diagnosedAndHidden,
    alive: ['greeting, load unknown'],
    dead: diagnosedAndHidden,
    lose: lost,
  },
  'probing, ready, load due': {
    load: ['probing, ready, load seen'],
    handshake: someDocument,
    greeted: ['ready, load due'],
    refused: lost,
    closed: diagnosedAndHidden,
    alive: ['ready, load due'],
    dead: diagnosedAndHidden,
    lose: lost,
  },
  'probing, ready, load seen': {
    load: ['probing, ready, load seen'],
    handshake: someDocument,
    greeted: ['ready, load seen'],
    refused: lost,
    closed: diagnosedAndHidden,
    alive: ['ready, load seen'],
    dead: diagnosedAndHidden,
    lose: lost,
  },
  'probing, ready, load unknown': {
    load: ['probing, ready, load seen'],
    handshake: someDocument,
    greeted: ['ready, load unknown'],
    refused: lost,
    closed: diagnosedAndHidden,
    alive: ['ready, load unknown'],
    dead: diagnosedAndHidden,
    lose: lost,
  },
  diagnosing: {
    handshake: someDocument,
    'diagnosed for certain': lost,
    'diagnosed as a guess': lost,
    lose: lost,
  },
  lost: {},
}

const labels = <Label extends string>(table: Record<Label, unknown>) => Object.keys(table) as Label[]

describe('the state of a connection', () => {
  for (const label of labels(states)) {
    it.each(labels(events).map((happening) => [happening] as const))(`${label}: %s`, (happening) => {
      const [next, ...effects] = step(states[label], events[happening])
      const [expected, ...toDo] = changes[label][happening] ?? [label]
      expect(next).toEqual(states[expected])
      expect(effects).toEqual(toDo)
    })
  }

  /** Runs events on a new frame. Returns the final state and all effects. */
  const runEvents = (names: readonly EventLabel[]) => {
    let state: State = { name: 'loading' }
    const allEffects: Effect[] = []
    for (const name of names) {
      const [next, ...effects]: Next = step(state, events[name])
      state = next
      allEffects.push(...effects)
    }
    return { state, done: allEffects }
  }

  it.each<[string, EventLabel[]]>([
    ['whose document makes the handshake before it loads', ['handshake', 'load', 'greeted']],
    ['whose document makes the handshake after it loads', ['load', 'late', 'handshake', 'greeted']],
    ['whose first document makes no handshake', ['load', 'load', 'handshake', 'greeted']],
    [
      'whose first document makes no handshake, and whose second makes it before it loads',
      ['load', 'handshake', 'greeted', 'load', 'alive'],
    ],
    ['that reloads during hello', ['handshake', 'refused by a reload', 'handshake', 'load', 'greeted']],
    ['that reloads', ['handshake', 'load', 'greeted', 'handshake', 'greeted', 'load']],
  ])('a frame %s becomes ready and stops its handshake timers', (_name, happened) => {
    const { state, done } = runEvents([...happened, 'late', 'overdue', 'diagnosed for certain'])
    expect(state.name).toBe('ready')
    expect(done.lastIndexOf('stopWaiting')).toBeGreaterThan(done.lastIndexOf('awaitHandshake'))
  })

  it('a frame that navigates to a page without a handshake is hidden immediately, and lost after the deadline', () => {
    const { done } = runEvents(['handshake', 'greeted', 'load', 'load'])
    expect(done.slice(-2)).toEqual(['hide', 'awaitHandshake'])
    const { state } = runEvents(['handshake', 'greeted', 'load', 'load', 'overdue', 'diagnosed as a guess'])
    expect(state).toEqual({ name: 'lost', error })
  })

  it('a connection ends at most once, and has no effects afterwards', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...labels(events)), { maxLength: 40 }), (names) => {
        const { state, done } = runEvents(names)
        expect(done.filter((effect) => effect === 'end')).toHaveLength(state.name === 'lost' ? 1 : 0)
        if (state.name === 'lost') expect(done.at(-1)).toBe('end')
      }),
    )
  })
})
