import { describe, expect, test } from 'vitest'
import type { CardHandle } from '../../core/flow.ts'
import type { AfterLoginStep, LoggedIn } from '../../core/login.ts'
import { makeFakeClock } from '../../testing/clock.ts'
import { visitorUser } from '../../testing/fixtures.ts'
import { watch } from '../../testing/world.ts'
import { takeStepsAfterLogin } from './after-login.ts'

const login: LoggedIn = { user: visitorUser, isNewUser: true, loginMethod: 'email', loginAccount: null }

function setUp(due: { readonly consent: boolean; readonly wallet: boolean }, outcome?: 'undone') {
  const clock = makeFakeClock()
  const log: string[] = []
  const step = (name: 'consent' | 'wallet', delayMs: number): AfterLoginStep => ({
    isDue: () => due[name],
    delayMs,
    prepare: () => void log.push(`prepare ${name}`),
    async run() {
      log.push(name)
      return outcome ? { type: outcome } : { type: 'done', holdMs: 2_500 }
    },
  })
  const card = { after: clock.after } as CardHandle
  const taken = watch(
    takeStepsAfterLogin({
      steps: [step('consent', 900), step('wallet', 900)],
      user: () => visitorUser,
      card,
      login,
      startOver: () => {},
    }),
  )
  return { clock, log, taken }
}

describe('what comes after a login', () => {
  // spec L4.23
  test('is consent before a wallet before the end', async () => {
    const { clock, log, taken } = setUp({ consent: true, wallet: true })
    expect(log).toEqual(['prepare consent'])
    await clock.advance(899)
    expect(log).not.toContain('consent')
    await clock.advance(1)
    expect(log).toContain('consent')
    await clock.advance(2_499)
    expect(log).not.toContain('wallet')
    await clock.advance(1)
    expect(log).toEqual(['prepare consent', 'consent', 'prepare wallet', 'wallet'])
    expect(taken.value).toEqual({ type: 'done', taken: 2, holdMs: 2_500 })
  })

  test('is only what is due', async () => {
    const { clock, log } = setUp({ consent: false, wallet: true })
    await clock.advance(900)
    expect(log).toEqual(['prepare wallet', 'wallet'])
  })

  // spec L4.23
  test('is the end after 1.4 s where nothing is due', async () => {
    const { clock, taken } = setUp({ consent: false, wallet: false })
    await clock.advance(0)
    expect(taken.value).toEqual({ type: 'done', taken: 0, holdMs: 1_400 })
  })

  test('ends with a step that took the login back', async () => {
    const { clock, log, taken } = setUp({ consent: true, wallet: true }, 'undone')
    await clock.advance(900)
    expect(log).toEqual(['prepare consent', 'consent'])
    expect(taken.value).toEqual({ type: 'undone' })
  })
})
