import type { OpenedWindowState } from '@latchkey/protocol/wallet'
import { describe, expect, test } from 'vitest'
import { settle } from '../../testing/clock.ts'
import { appConfig } from '../../testing/fixtures.ts'
import { createWalletWindow, noWindowIn, type WindowAttempt, type WindowStep } from './wallet-window.ts'

const buttonOf = (handle: string) => `https://wallet.example/open-window#${handle}`

function setUp(obstacle?: string) {
  const card = new AbortController()
  const steps: WindowStep<string>[] = []
  const served: ({ handle: string } & WindowAttempt)[] = []
  const ended: unknown[] = []
  let handles = 0
  let end = Promise.withResolvers<void>()
  const window = createWalletWindow<string>({
    signal: card.signal,
    obstacle,
    next() {
      handles += 1
      return { handle: `h${handles}`, buttonUrl: buttonOf(`h${handles}`) }
    },
    show: (step) => void steps.push(step),
    serve(handle, attempt) {
      served.push({ handle, ...attempt })
      end = Promise.withResolvers()
      return end.promise
    },
    onDone: () => void ended.push('done'),
    onFailed: (error) => void ended.push(error),
  })
  return {
    window,
    card,
    steps,
    served,
    ended,
    done: () => end.resolve(),
    fail: (why: string) => end.reject(why),
  }
}

describe('a window of the wallet', () => {
  test('is served from when its button has opened something, under the handle of that button', async () => {
    const { window, steps, served, ended, done } = setUp()
    window.ask()
    expect(steps).toEqual([{ at: 'asking', buttonUrl: buttonOf('h1') }])
    expect(served).toEqual([])
    window.hear('open')
    expect(steps.at(-1)).toEqual({ at: 'window', window: 'open', buttonUrl: buttonOf('h1') })
    expect(served.map(({ handle }) => handle)).toEqual(['h1'])
    done()
    await settle()
    expect(ended).toEqual(['done'])
  })

  test.each<[OpenedWindowState, string]>([
    ['open', 'open'],
    ['unknown', 'none'],
    ['closed', 'closed'],
  ])('that is %s once it was opened is shown as %s, and is one wait', (state, window) => {
    const made = setUp()
    made.window.ask()
    made.window.hear('open')
    made.window.hear(state)
    expect(made.steps.at(-1)).toEqual({ at: 'window', window, buttonUrl: buttonOf('h1') })
    expect(made.served).toHaveLength(1)
  })

  test('ignores its button while its input is used, and goes on where it was after that', () => {
    const { window, steps, served } = setUp()
    window.ask()
    window.hear('open')
    served[0]?.setInUse(true)
    window.hear('closed')
    const present = { at: 'window', window: 'open', buttonUrl: buttonOf('h1') }
    expect(steps.at(-1)).toEqual({ ...present, isInUse: true })
    served[0]?.setInUse(false)
    expect(steps.at(-1)).toEqual({ ...present, isInUse: false })
    window.hear('closed')
    expect(steps.at(-1)).toEqual({ ...present, window: 'closed' })
  })

  test('that was abandoned shows no use of its input', () => {
    const { window, steps, served } = setUp()
    window.ask()
    window.hear('open')
    window.ask()
    served[0]?.setInUse(true)
    expect(steps.at(-1)).toEqual({ at: 'asking', buttonUrl: buttonOf('h2') })
  })

  test('that can not be opened has no button, and is not waited for', () => {
    const { window, steps, served } = setUp('in-app')
    window.ask()
    window.hear('open')
    expect(steps).toEqual([{ at: 'asking', problem: 'in-app' }])
    expect(served).toEqual([])
  })

  test('that was never opened is not closed', () => {
    const { window, steps, served } = setUp()
    window.ask()
    window.hear('closed')
    expect(steps).toHaveLength(1)
    expect(served).toEqual([])
  })

  test('that failed is told as it is, and the next has another handle', async () => {
    const { window, steps, served, ended, fail } = setUp()
    window.ask()
    window.hear('open')
    fail('refused')
    await settle()
    expect(ended).toEqual(['refused'])
    window.ask('failed')
    expect(steps.at(-1)).toEqual({ at: 'asking', buttonUrl: buttonOf('h2'), problem: 'failed' })
    window.hear('open')
    expect(served.map(({ handle }) => handle)).toEqual(['h1', 'h2'])
  })

  test.each(['another', 'abandoned', 'card'] as const)(
    'that nobody waits for any more ends nothing (%s)',
    async (why) => {
      const { window, card, served, ended, done, fail } = setUp()
      window.ask()
      window.hear('open')
      const [one] = served
      expect(one?.signal.aborted).toBe(false)
      if (why === 'another') window.ask()
      else if (why === 'abandoned') window.abandon()
      else card.abort()
      expect(one?.signal.aborted).toBe(true)
      if (why === 'card') fail('too late')
      else done()
      await settle()
      expect(ended).toEqual([])
      if (why === 'another') return
      window.hear('open')
      expect(served).toHaveLength(1)
    },
  )
})

test.each([
  ['Mozilla/5.0 Chrome/140', null, undefined],
  ['Mozilla/5.0 Chrome/140', 'same-origin', 'cut-off'],
  ['Mozilla/5.0 (iPhone) Instagram 300.0', null, 'in-app'],
] as const)('a browser of %s on a page of %s has no window because of: %s', (userAgent, policy, why) => {
  const app = { ...appConfig, crossOriginOpenerPolicy: policy }
  expect(noWindowIn({ app }, userAgent)).toBe(why)
})
