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

const happenings = {
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
type HappeningLabel = keyof typeof happenings

type Change = readonly [StateLabel, ...Effect[]]
const silent: Change = ['silent', 'awaitHandshake']
const asksWhy = (label: StateLabel): Change => [label, 'diagnose']
const gone: Change = ['silent', 'hide', 'awaitHandshake']
const over: Change = ['diagnosing', 'hide', 'diagnose']
const lost: Change = ['lost', 'end']
const newDocument: Change = ['greeting, load due', 'stopWaiting', 'hide', 'greet']
const someDocument: Change = ['greeting, load unknown', 'stopWaiting', 'hide', 'greet']
const inDoubt = (label: StateLabel): Change => [label, 'probe']

/** What changes. Whatever is not here changes nothing and does nothing. */
const changes: Record<StateLabel, Partial<Record<HappeningLabel, Change>>> = {
  loading: {
    load: silent,
    handshake: newDocument,
    late: asksWhy('loading'),
    overdue: over,
    closed: over,
    'diagnosed for certain': lost,
    lose: lost,
  },
  silent: {
    load: silent,
    handshake: someDocument,
    late: asksWhy('silent'),
    overdue: over,
    closed: over,
    unanswered: over,
    'diagnosed for certain': lost,
    lose: lost,
  },
  'greeting, load due': {
    load: ['greeting, load seen'],
    handshake: newDocument,
    greeted: ['ready, load due'],
    refused: lost,
    closed: over,
    unanswered: inDoubt('probing, greeting, load due'),
    lose: lost,
  },
  'greeting, load seen': {
    load: gone,
    handshake: newDocument,
    greeted: ['ready, load seen'],
    refused: lost,
    closed: over,
    unanswered: inDoubt('probing, greeting, load seen'),
    lose: lost,
  },
  'greeting, load unknown': {
    load: inDoubt('probing, greeting, load seen'),
    handshake: newDocument,
    greeted: ['ready, load unknown'],
    refused: lost,
    closed: over,
    unanswered: inDoubt('probing, greeting, load unknown'),
    lose: lost,
  },
  'ready, load due': {
    load: ['ready, load seen'],
    handshake: newDocument,
    closed: over,
    unanswered: inDoubt('probing, ready, load due'),
    lose: lost,
  },
  'ready, load seen': {
    load: gone,
    handshake: newDocument,
    closed: over,
    unanswered: inDoubt('probing, ready, load seen'),
    lose: lost,
  },
  'ready, load unknown': {
    load: inDoubt('probing, ready, load seen'),
    handshake: newDocument,
    closed: over,
    unanswered: inDoubt('probing, ready, load unknown'),
    lose: lost,
  },
  'probing, greeting, load due': {
    load: ['probing, greeting, load seen'],
    handshake: someDocument,
    greeted: ['ready, load due'],
    refused: lost,
    closed: over,
    alive: ['greeting, load due'],
    dead: over,
    lose: lost,
  },
  'probing, greeting, load seen': {
    load: ['probing, greeting, load seen'],
    handshake: someDocument,
    greeted: ['ready, load seen'],
    refused: lost,
    closed: over,
    alive: ['greeting, load seen'],
    dead: over,
    lose: lost,
  },
  'probing, greeting, load unknown': {
    load: ['probing, greeting, load seen'],
    handshake: someDocument,
    greeted: ['ready, load unknown'],
    refused: lost,
    closed: over,
    alive: ['greeting, load unknown'],
    dead: over,
    lose: lost,
  },
  'probing, ready, load due': {
    load: ['probing, ready, load seen'],
    handshake: someDocument,
    greeted: ['ready, load due'],
    refused: lost,
    closed: over,
    alive: ['ready, load due'],
    dead: over,
    lose: lost,
  },
  'probing, ready, load seen': {
    load: ['probing, ready, load seen'],
    handshake: someDocument,
    greeted: ['ready, load seen'],
    refused: lost,
    closed: over,
    alive: ['ready, load seen'],
    dead: over,
    lose: lost,
  },
  'probing, ready, load unknown': {
    load: ['probing, ready, load seen'],
    handshake: someDocument,
    greeted: ['ready, load unknown'],
    refused: lost,
    closed: over,
    alive: ['ready, load unknown'],
    dead: over,
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
    it.each(labels(happenings).map((happening) => [happening] as const))(`${label}: %s`, (happening) => {
      const [next, ...effects] = step(states[label], happenings[happening])
      const [expected, ...toDo] = changes[label][happening] ?? [label]
      expect(next).toEqual(states[expected])
      expect(effects).toEqual(toDo)
    })
  }

  /** What becomes of a new frame, and all that was done about it. */
  const live = (names: readonly HappeningLabel[]) => {
    let state: State = { name: 'loading' }
    const done: Effect[] = []
    for (const name of names) {
      const [next, ...effects]: Next = step(state, happenings[name])
      state = next
      done.push(...effects)
    }
    return { state, done }
  }

  it.each<[string, HappeningLabel[]]>([
    ['whose document shakes hands before it has loaded', ['handshake', 'load', 'greeted']],
    ['whose document shakes hands after it has loaded', ['load', 'late', 'handshake', 'greeted']],
    ['whose first document never shook hands', ['load', 'load', 'handshake', 'greeted']],
    [
      'whose first document never shook hands, and whose second did before it had loaded',
      ['load', 'handshake', 'greeted', 'load', 'alive'],
    ],
    [
      'that reloads in the middle of hello',
      ['handshake', 'refused by a reload', 'handshake', 'load', 'greeted'],
    ],
    ['that reloads', ['handshake', 'load', 'greeted', 'handshake', 'greeted', 'load']],
  ])('a frame %s is ready, and the time that it has to shake hands has stopped', (_name, happened) => {
    const { state, done } = live([...happened, 'late', 'overdue', 'diagnosed for certain'])
    expect(state.name).toBe('ready')
    expect(done.lastIndexOf('stopWaiting')).toBeGreaterThan(done.lastIndexOf('awaitHandshake'))
  })

  it('a frame that goes to a page that never answers is hidden at once, and lost when its time is over', () => {
    const { done } = live(['handshake', 'greeted', 'load', 'load'])
    expect(done.slice(-2)).toEqual(['hide', 'awaitHandshake'])
    const { state } = live(['handshake', 'greeted', 'load', 'load', 'overdue', 'diagnosed as a guess'])
    expect(state).toEqual({ name: 'lost', error })
  })

  it('ends once, whatever happens, and does nothing after that', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...labels(happenings)), { maxLength: 40 }), (names) => {
        const { state, done } = live(names)
        expect(done.filter((effect) => effect === 'end')).toHaveLength(state.name === 'lost' ? 1 : 0)
        if (state.name === 'lost') expect(done.at(-1)).toBe('end')
      }),
    )
  })
})
