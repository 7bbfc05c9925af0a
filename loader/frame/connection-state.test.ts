import { LatchkeyError } from '@latchkey/protocol'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Effect, type Happening, type Next, type State, step } from './connection-state.ts'

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
  'doubtful, greeting, load due': { name: 'doubtful', back: { name: 'greeting', load: 'due' } },
  'doubtful, greeting, load seen': { name: 'doubtful', back: { name: 'greeting', load: 'seen' } },
  'doubtful, greeting, load unknown': { name: 'doubtful', back: { name: 'greeting', load: 'unknown' } },
  'doubtful, ready, load due': { name: 'doubtful', back: { name: 'ready', load: 'due' } },
  'doubtful, ready, load seen': { name: 'doubtful', back: { name: 'ready', load: 'seen' } },
  'doubtful, ready, load unknown': { name: 'doubtful', back: { name: 'ready', load: 'unknown' } },
  explaining: { name: 'explaining' },
  lost: { name: 'lost', error },
} as const satisfies Record<string, State>
type StateLabel = keyof typeof states

const happenings = {
  load: { name: 'load' },
  shaken: { name: 'shaken' },
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
} as const satisfies Record<string, Happening>
type HappeningLabel = keyof typeof happenings

type Change = readonly [StateLabel, ...Effect[]]
const silent: Change = ['silent', 'await handshake']
const asksWhy = (label: StateLabel): Change => [label, 'ask why']
const gone: Change = ['silent', 'hide', 'await handshake']
const over: Change = ['explaining', 'hide', 'ask why']
const lost: Change = ['lost', 'end']
const newDocument: Change = ['greeting, load due', 'stop waiting', 'hide', 'greet']
const someDocument: Change = ['greeting, load unknown', 'stop waiting', 'hide', 'greet']
const inDoubt = (label: StateLabel): Change => [label, 'ask for a sign of life']

/** What changes. Whatever is not here changes nothing and does nothing. */
const changes: Record<StateLabel, Partial<Record<HappeningLabel, Change>>> = {
  loading: {
    load: silent,
    shaken: newDocument,
    late: asksWhy('loading'),
    overdue: over,
    closed: over,
    'diagnosed for certain': lost,
    lose: lost,
  },
  silent: {
    load: silent,
    shaken: someDocument,
    late: asksWhy('silent'),
    overdue: over,
    closed: over,
    unanswered: over,
    'diagnosed for certain': lost,
    lose: lost,
  },
  'greeting, load due': {
    load: ['greeting, load seen'],
    shaken: newDocument,
    greeted: ['ready, load due'],
    refused: lost,
    closed: over,
    unanswered: inDoubt('doubtful, greeting, load due'),
    lose: lost,
  },
  'greeting, load seen': {
    load: gone,
    shaken: newDocument,
    greeted: ['ready, load seen'],
    refused: lost,
    closed: over,
    unanswered: inDoubt('doubtful, greeting, load seen'),
    lose: lost,
  },
  'greeting, load unknown': {
    load: inDoubt('doubtful, greeting, load seen'),
    shaken: newDocument,
    greeted: ['ready, load unknown'],
    refused: lost,
    closed: over,
    unanswered: inDoubt('doubtful, greeting, load unknown'),
    lose: lost,
  },
  'ready, load due': {
    load: ['ready, load seen'],
    shaken: newDocument,
    closed: over,
    unanswered: inDoubt('doubtful, ready, load due'),
    lose: lost,
  },
  'ready, load seen': {
    load: gone,
    shaken: newDocument,
    closed: over,
    unanswered: inDoubt('doubtful, ready, load seen'),
    lose: lost,
  },
  'ready, load unknown': {
    load: inDoubt('doubtful, ready, load seen'),
    shaken: newDocument,
    closed: over,
    unanswered: inDoubt('doubtful, ready, load unknown'),
    lose: lost,
  },
  'doubtful, greeting, load due': {
    load: ['doubtful, greeting, load seen'],
    shaken: someDocument,
    greeted: ['ready, load due'],
    refused: lost,
    closed: over,
    alive: ['greeting, load due'],
    dead: over,
    lose: lost,
  },
  'doubtful, greeting, load seen': {
    load: ['doubtful, greeting, load seen'],
    shaken: someDocument,
    greeted: ['ready, load seen'],
    refused: lost,
    closed: over,
    alive: ['greeting, load seen'],
    dead: over,
    lose: lost,
  },
  'doubtful, greeting, load unknown': {
    load: ['doubtful, greeting, load seen'],
    shaken: someDocument,
    greeted: ['ready, load unknown'],
    refused: lost,
    closed: over,
    alive: ['greeting, load unknown'],
    dead: over,
    lose: lost,
  },
  'doubtful, ready, load due': {
    load: ['doubtful, ready, load seen'],
    shaken: someDocument,
    greeted: ['ready, load due'],
    refused: lost,
    closed: over,
    alive: ['ready, load due'],
    dead: over,
    lose: lost,
  },
  'doubtful, ready, load seen': {
    load: ['doubtful, ready, load seen'],
    shaken: someDocument,
    greeted: ['ready, load seen'],
    refused: lost,
    closed: over,
    alive: ['ready, load seen'],
    dead: over,
    lose: lost,
  },
  'doubtful, ready, load unknown': {
    load: ['doubtful, ready, load seen'],
    shaken: someDocument,
    greeted: ['ready, load unknown'],
    refused: lost,
    closed: over,
    alive: ['ready, load unknown'],
    dead: over,
    lose: lost,
  },
  explaining: {
    shaken: someDocument,
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
    ['whose document shakes hands before it has loaded', ['shaken', 'load', 'greeted']],
    ['whose document shakes hands after it has loaded', ['load', 'late', 'shaken', 'greeted']],
    ['whose first document never shook hands', ['load', 'load', 'shaken', 'greeted']],
    [
      'whose first document never shook hands, and whose second did before it had loaded',
      ['load', 'shaken', 'greeted', 'load', 'alive'],
    ],
    ['that reloads in the middle of hello', ['shaken', 'refused by a reload', 'shaken', 'load', 'greeted']],
    ['that reloads', ['shaken', 'load', 'greeted', 'shaken', 'greeted', 'load']],
  ])('a frame %s is ready, and the time that it has to shake hands has stopped', (_name, happened) => {
    const { state, done } = live([...happened, 'late', 'overdue', 'diagnosed for certain'])
    expect(state.name).toBe('ready')
    expect(done.lastIndexOf('stop waiting')).toBeGreaterThan(done.lastIndexOf('await handshake'))
  })

  it('a frame that goes to a page that never answers is hidden at once, and lost when its time is over', () => {
    const { done } = live(['shaken', 'greeted', 'load', 'load'])
    expect(done.slice(-2)).toEqual(['hide', 'await handshake'])
    const { state } = live(['shaken', 'greeted', 'load', 'load', 'overdue', 'diagnosed as a guess'])
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
