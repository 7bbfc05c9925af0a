import { describe, expect, test } from 'vitest'
import { defineCapability } from '../../../contract/capability.ts'
import type { AfterLoginStep, LoggedIn } from '../../../contract/login.ts'
import { settle } from '../../../testing/clock.ts'
import { makeFixture, watch } from '../../../testing/fixture.ts'
import { visitorUser } from '../../../testing/fixtures.ts'
import { first, makeStage, second } from '../../../testing/stage.ts'
import { capabilities } from '../../index.ts'
import { beforeNextStepMs, takeStepsAfterLogin } from './after-login.ts'

const login: LoggedIn = { user: visitorUser, isNewUser: true, loginMethod: 'email', loginAccount: null }

type Step = 'consent' | 'wallet'

/** FIRST stands for the success of the login; a step says that it is done on SECOND, with its own name. */
async function setUp(due: { [Name in Step]: boolean }, outcome?: 'undone') {
  const made = makeStage()
  const { clock } = made
  const card = await made.begin(first).handle
  const log: string[] = []
  const work = { consent: Promise.withResolvers<void>(), wallet: Promise.withResolvers<void>() }
  const step = (name: Step): AfterLoginStep => ({
    isDue: () => due[name],
    async run({ seen }) {
      log.push(`begin ${name}`)
      void seen.then(() => log.push(`${name} may show itself`))
      await work[name].promise
      if (outcome) return { type: outcome }
      return { type: 'done', seen: seen.then(() => showSuccess(name)) }
    },
  })
  function showSuccess(name: Step) {
    card.replace({ ...second, id: name })
    return card.hold(2_500)
  }
  const taken = watch(
    takeStepsAfterLogin({
      steps: [step('consent'), step('wallet')],
      user: () => visitorUser,
      card,
      login,
      startOver: () => {},
    }),
  )
  const seen = () => {
    if (taken.value?.type !== 'done') throw new Error('the steps are not done')
    return watch(taken.value.seen)
  }
  async function finish(name: Step) {
    work[name].resolve()
    await settle()
  }
  return { ...made, clock, finish, log, seen, taken }
}

describe('the steps after a login', () => {
  // spec L4.23
  test('run in order: consent, wallet, end', async () => {
    const { clock, finish, log, seen, taken, view } = await setUp({ consent: true, wallet: true })
    expect(log).toEqual(['begin consent'])
    await clock.advance(899)
    expect(log).not.toContain('consent may show itself')
    await clock.advance(1)
    expect(log).toContain('consent may show itself')
    await finish('consent')
    expect(view()?.screen).toMatchObject({ name: 'SECOND', id: 'consent' })
    expect(log.at(-1)).toBe('begin wallet')
    await clock.advance(2_499)
    expect(log).not.toContain('wallet may show itself')
    await clock.advance(1)
    expect(log.at(-1)).toBe('wallet may show itself')
    await finish('wallet')
    expect(taken.value).toMatchObject({ type: 'done', taken: 2 })
    expect(view()?.screen).toMatchObject({ name: 'SECOND', id: 'wallet' })
    const read = seen()
    await clock.advance(2_499)
    expect(read.settled).toBe(false)
    await clock.advance(1)
    expect(read.settled).toBe(true)
  })

  test('skip steps that are not due', async () => {
    const { log } = await setUp({ consent: false, wallet: true })
    expect(log).toEqual(['begin wallet'])
  })

  test('resolve before their screens were visible, and each screen still has its time', async () => {
    const { clock, finish, seen, taken, name } = await setUp({ consent: false, wallet: true })
    await finish('wallet')
    expect(taken.value).toMatchObject({ type: 'done', taken: 1 })
    const read = seen()
    await clock.advance(899)
    expect(name()).toBe('FIRST')
    await clock.advance(1)
    expect(name()).toBe('SECOND')
    await clock.advance(2_499)
    expect(read.settled).toBe(false)
    await clock.advance(1)
    expect(read.settled).toBe(true)
  })

  // spec L4.23
  test('end after 1.4 s if none is due', async () => {
    const { clock, seen, taken } = await setUp({ consent: false, wallet: false })
    await settle()
    expect(taken.value).toMatchObject({ type: 'done', taken: 0 })
    const read = seen()
    await clock.advance(1_399)
    expect(read.settled).toBe(false)
    await clock.advance(1)
    expect(read.settled).toBe(true)
  })

  test('end with a step that reverted the login', async () => {
    const { finish, log, taken } = await setUp({ consent: true, wallet: true }, 'undone')
    await finish('consent')
    expect(log).toEqual(['begin consent'])
    expect(taken.value).toEqual({ type: 'undone' })
  })
})

// spec L4.35, L4.36
test.each([
  ['email', 900, 900],
  ['wallet', 900, 900],
  ['passkey', 900, 900],
  ['farcaster', 1_400, 900],
  ['telegram', 1_400, 1_400],
  ['google', 1_400, 1_400],
  ['tiktok', 1_400, 1_400],
] as const)(
  'the success of %s is seen for %d ms before consent, for %d ms before a wallet',
  async (loginMethod, consentMs, walletMs) => {
    const after: LoggedIn = { ...login, loginMethod }
    const steps: AfterLoginStep[] = []
    const watcher = defineCapability({
      name: 'watcher',
      loadedFor: 'nobody',
      bring: (ports) => ({ load: async () => void steps.push(...ports.afterLogin()) }),
    })
    await makeFixture({ capabilities: [...capabilities, watcher] })
    const [terms, wallet] = steps
    expect(beforeNextStepMs(after, terms)).toBe(consentMs)
    expect(beforeNextStepMs(after, wallet)).toBe(walletMs)
  },
)
