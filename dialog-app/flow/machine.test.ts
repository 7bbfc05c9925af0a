import { describe, expect, test } from 'vitest'
import { createMachine, type Step, stepBy } from './machine.ts'

type State = { phase: { at: 'idle' } | { at: 'asking'; what: string } }
type Event = { type: 'ask'; what: string } | { type: 'answered'; answer: string }
type Effect = { type: 'ask'; what: string } | { type: 'note'; answer: string }

const idle: State = { phase: { at: 'idle' } }
const step = stepBy<State, Event, Effect>({
  idle: {
    ask: (_, { what }) => [
      { phase: { at: 'asking', what } },
      { type: 'ask', what },
      { type: 'note', answer: 'asked' },
    ],
  },
  asking: {
    answered: (_, { answer }, { what }) => [idle, { type: 'note', answer: `${what}: ${answer}` }],
  },
})

function run(ask: (what: string) => Promise<string> | string, own: Step<State, Event, Effect> = step) {
  const over = new AbortController()
  const noted: string[] = []
  const drawn: string[] = []
  const crashes: unknown[] = []
  const machine = createMachine<State, Event, Effect>({
    initial: idle,
    step: own,
    signal: over.signal,
    draw: ({ phase }) => drawn.push(phase.at),
    crashed: (error) => crashes.push(error),
    effects: {
      ask: async ({ what }) => ({ type: 'answered', answer: await ask(what) }),
      note: ({ answer }) => void noted.push(answer),
    },
  })
  return { over, noted, drawn, crashes, machine }
}
const turns = () => new Promise((resolve) => setTimeout(resolve))

describe('a machine', () => {
  test('handles the result of an effect as its next event', async () => {
    const { machine, noted, drawn } = run(async () => 'yes')
    machine.send({ type: 'ask', what: 'really' })
    expect(machine.state()).toEqual({ phase: { at: 'asking', what: 'really' } })
    await turns()
    expect(machine.state()).toBe(idle)
    expect(noted).toEqual(['asked', 'really: yes'])
    expect(drawn).toEqual(['asking', 'idle'])
  })

  test('ignores an event without an entry for its phase and does not draw again', () => {
    const { machine, noted, drawn } = run(() => 'yes')
    machine.send({ type: 'answered', answer: 'nobody asked' })
    expect(machine.state()).toBe(idle)
    expect([noted, drawn]).toEqual([[], []])
  })

  test('ignores the result of an effect after its signal aborted', async () => {
    const answer = Promise.withResolvers<string>()
    const { machine, over, noted } = run(() => answer.promise)
    machine.send({ type: 'ask', what: 'really' })
    over.abort()
    answer.resolve('too late')
    await turns()
    expect(machine.state()).toEqual({ phase: { at: 'asking', what: 'really' } })
    expect(noted).toEqual(['asked'])
  })

  test('finishes the present event before it handles one that an effect sends', () => {
    const order: string[] = []
    const machine = createMachine<number, 'count', { type: 'again' }>({
      initial: 0,
      step: (count) => (count < 2 ? [count + 1, { type: 'again' }] : [count]),
      signal: new AbortController().signal,
      draw: (count) => order.push(`drawn ${count}`),
      crashed: (error) => {
        throw error
      },
      effects: {
        again() {
          order.push('began')
          machine.send('count')
          order.push('ended')
        },
      },
    })
    machine.send('count')
    expect(order).toEqual(['drawn 1', 'began', 'ended', 'drawn 2', 'began', 'ended'])
  })

  test('reports an exception of an effect, but not after its signal aborted', async () => {
    const broken = new Error('broken')
    const during = run(() => Promise.reject(broken))
    during.machine.send({ type: 'ask', what: 'really' })
    await turns()
    expect(during.crashes).toEqual([broken])

    const after = run(() => Promise.reject(broken))
    after.machine.send({ type: 'ask', what: 'really' })
    after.over.abort()
    await turns()
    expect(after.crashes).toEqual([])
  })
})
