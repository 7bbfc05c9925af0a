import { LatchkeyError } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { defineCapability } from '../../contract/capability.ts'
import type { OfferedMethod, StepOutcome } from '../../contract/login.ts'
import type { Settings } from '../../host/settings.ts'
import { settle } from '../../testing/clock.ts'
import { createControlledMethod } from '../../testing/controlled-method.ts'
import { makeFixture, makeTab, watch } from '../../testing/fixture.ts'
import { makeAuthAnswer, makeSettings, visitorUser } from '../../testing/fixtures.ts'
import { capabilities } from '../index.ts'
import { offeredMethods } from './login-flow.ts'

const bring = (method: OfferedMethod['method'], appSetting: OfferedMethod['appSetting']): OfferedMethod => ({
  method,
  appSetting,
  shows: 'row',
  load: () => Promise.reject(new Error('not loaded here')),
})
const brought = [bring('email', 'emailAuth'), bring('passkey', 'passkeyAuth')]
const offered = (settings: Settings) => offeredMethods(settings, brought).map(({ method }) => method)

// spec L1.11
test('a method is offered only if both the app and the host enable it', () => {
  expect(offered(makeSettings())).toEqual(['email'])
  expect(offered(makeSettings({ emailAuth: false }))).toEqual([])
  expect(offered(makeSettings({}, { loginMethods: ['wallet'] }))).toEqual([])
  expect(offered(makeSettings({}, { loginMethodsAndOrder: { primary: ['email', 'email'] } }))).toEqual([
    'email',
  ])
})

test('the host orders the methods that the app enables', () => {
  const app = { passkeyAuth: true }
  expect(offered(makeSettings(app))).toEqual(['email', 'passkey'])
  const order = { primary: ['passkey'], overflow: ['sms', 'email'] }
  expect(offered(makeSettings(app, { loginMethodsAndOrder: order }))).toEqual(['passkey', 'email'])
})

/** A login by a method that the test controls, and with one step after it. */
async function open({ isStepDue = true, isLoggedIn = false } = {}) {
  const method = createControlledMethod()
  const outcomes: PromiseWithResolvers<StepOutcome>[] = []
  let shownNotices = 0
  let preloads = 0
  let startOver = () => {}
  const steps = defineCapability({
    name: 'terms',
    loadedFor: 'nobody',
    bring: () => ({
      afterLogin: [
        {
          isDue: () => isStepDue,
          async preload() {
            preloads += 1
          },
          run(after) {
            startOver = after.startOver
            const outcome = Promise.withResolvers<StepOutcome>()
            outcomes.push(outcome)
            return outcome.promise
          },
        },
      ],
    }),
  })
  const notices = defineCapability({
    name: 'notices',
    loadedFor: 'nobody',
    bring: () => ({
      async showNotices() {
        shownNotices += 1
      },
    }),
  })
  const own = [method.capability, steps, notices]
  const kept = capabilities.filter(({ name }) => name !== 'wallet-create')
  const fixture = await makeFixture({
    answers: { me: () => visitorUser },
    app: { emailAuth: false, googleOauth: true },
    capabilities: kept.map((each) => own.find(({ name }) => name === each.name) ?? each),
  })
  if (isLoggedIn) fixture.session.accept(makeAuthAnswer())
  const login = watch(fixture.login())
  await settle()
  return {
    fixture,
    login,
    outcomes,
    progress: () => method.progress,
    shownNotices: () => shownNotices,
    preloads: () => preloads,
    async complete() {
      fixture.session.accept(makeAuthAnswer())
      await method.complete()
      await settle()
    },
    async logInElsewhere() {
      makeTab(fixture.browser, fixture.transport).session.accept(makeAuthAnswer())
      await settle()
    },
    /** Ends the latest step. */
    async endStep(outcome: StepOutcome = { type: 'done' }) {
      isStepDue = false
      outcomes.at(-1)?.resolve(outcome)
      await settle()
    },
    /** Starts over from the screen of the step, which is due for the next user too. */
    async startOver() {
      isStepDue = true
      startOver()
      await settle()
    },
  }
}
type Opened = Awaited<ReturnType<typeof open>>

describe('a login', () => {
  test('ends and resolves after its step', async () => {
    const { login, outcomes, complete, endStep } = await open()
    await complete()
    expect([outcomes.length, login.settled]).toEqual([1, false])
    await endStep()
    expect(login.value).toMatchObject({ wasAlreadyAuthenticated: false, loginMethod: 'google' })
  })

  test('loads the code of its step once the user has chosen a method', async () => {
    const { progress, preloads } = await open()
    const { chosen } = await progress()
    expect(preloads()).toBe(0)
    chosen()
    expect(preloads()).toBe(1)
  })

  test('takes its step immediately for a logged-in user', async () => {
    const { login, fixture, outcomes, endStep } = await open({ isLoggedIn: true })
    expect([outcomes.length, fixture.screen()]).toEqual([1, undefined])
    await endStep()
    expect(login.value).toMatchObject({ wasAlreadyAuthenticated: true, loginMethod: null })
  })

  test('takes its step immediately after a login in another tab', async () => {
    const { login, outcomes, logInElsewhere, endStep } = await open()
    await logInElsewhere()
    expect(outcomes).toHaveLength(1)
    await endStep()
    expect(login.value).toMatchObject({ wasAlreadyAuthenticated: false, loginMethod: null })
  })

  test('shows nothing if an earlier call logged in before its turn and no step is due', async () => {
    const { fixture, login, complete } = await open({ isStepDue: false })
    const second = watch(fixture.more('connectOrCreateWallet', {}).catch(() => 'no wallet'))
    await complete()
    await fixture.clock.advance(3_000)
    expect(login.value).toMatchObject({ loginMethod: 'google' })
    expect(second.settled).toBe(true)
    expect(fixture.views.some(({ screen }) => screen?.name === 'CONNECT_OR_CREATE')).toBe(false)
  })

  test('ignores another tab once its user has logged in here', async () => {
    const { outcomes, complete, logInElsewhere } = await open()
    await complete()
    await logInElsewhere()
    expect(outcomes).toHaveLength(1)
  })

  test('continues after a step that logged the user out, as a login of the next user', async () => {
    const { login, outcomes, fixture, complete, endStep, startOver } = await open({ isLoggedIn: true })
    await endStep({ type: 'undone' })
    await startOver()
    expect(fixture.screen()).toBe('LANDING')
    await complete()
    expect(outcomes).toHaveLength(2)
    await endStep()
    expect(login.value).toMatchObject({ wasAlreadyAuthenticated: false, loginMethod: 'google' })
  })

  test('rejects as an exit if the user closes the card after a step that logged them out', async () => {
    const { login, fixture, complete, endStep } = await open()
    await complete()
    await endStep({ type: 'undone' })
    expect(login.settled).toBe(false)
    await fixture.close()
    expect(login.error).toMatchObject({ code: 'exited_auth_flow' })
  })

  test('rejects as an exit if the user declines a step', async () => {
    const { login, complete, endStep } = await open()
    await complete()
    await endStep({ type: 'declined' })
    expect(login.error).toMatchObject({ code: 'exited_auth_flow' })
  })

  const problem = new LatchkeyError('disallowed_login_method', 'no')
  test.each<[string, (opened: Opened) => Promise<void>, string]>([
    ['without a problem', async () => {}, 'exited_auth_flow'],
    ['with a problem', async ({ progress }) => (await progress()).closesWith?.(problem), problem.code],
    [
      'with a problem from before a login whose step waits',
      async ({ progress, complete }) => {
        ;(await progress()).closesWith?.(problem)
        await complete()
      },
      problem.code,
    ],
    [
      'after another choice',
      async ({ progress }) => {
        const { closesWith, chosen } = await progress()
        closesWith?.(problem)
        chosen()
      },
      'exited_auth_flow',
    ],
  ])('that the user closes %s ends with the last problem', async (_, happen, code) => {
    const opened = await open()
    await happen(opened)
    await opened.fixture.close()
    expect(opened.login.error).toMatchObject({ code })
  })

  test.each([
    [[], 0],
    [[true], 1],
    [[true, false], 0],
  ])('shows the notices of its last proof: %j', async (proofs, expected) => {
    const { progress, complete, shownNotices } = await open({ isStepDue: false })
    for (const hasNotices of proofs) {
      const logIn = async () => makeAuthAnswer({ ...(hasNotices && { hasNotices: true }) })
      await (await progress()).prove({ logIn }, {})
    }
    await complete()
    expect(shownNotices()).toBe(expected)
  })
})
