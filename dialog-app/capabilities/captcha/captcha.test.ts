import { LatchkeyError } from '@latchkey/protocol'
import { beforeEach, describe, expect, test } from 'vitest'
import type { CapabilityPorts } from '../../contract/capability.ts'
import { settle } from '../../testing/clock.ts'
import { type FixtureOptions, makeFixture, watch } from '../../testing/fixture.ts'
import { makeSettings } from '../../testing/fixtures.ts'
import { pressIn, readCard } from '../../testing/read-screen.ts'
import { makeStage } from '../../testing/stage.ts'
import { capabilities } from '../index.ts'
import { captcha } from './captcha.ts'
import { createCaptchaPass } from './captcha-pass.ts'
import { screens } from './screens.ts'
import type { WidgetResult, WidgetSettings } from './widget.ts'

beforeEach(async () => {
  await Promise.all(screens.map(({ component, texts }) => Promise.all([component.load(), texts.load()])))
})

const appId = 'lkdemo0000000000000000001'
const settings = {
  ...makeSettings({ id: appId, captchaEnabled: true, captchaSiteKey: 't:0x4AAAsite' }),
  addresses: { captcha: 'https://captcha.example' },
}
// A place in a page; nothing here looks into it.
const place = {} as Element

/** A captcha before a login that waits for its code, with a widget that a test moves. */
async function open(options: { settings?: typeof settings; placed?: boolean } = {}) {
  const made = makeStage()
  const handle = await made.begin().handle
  let result: WidgetResult = { type: 'none yet' }
  const log: string[] = []
  const loads: string[] = []
  let isBlocked = false
  const opened: WidgetSettings[] = []
  const ports = {
    settings: () => options.settings ?? settings,
    clock: made.clock,
  } as unknown as CapabilityPorts
  const getPass = createCaptchaPass(ports, async (origin) => {
    loads.push(origin)
    if (isBlocked) throw new Error('blocked')
    return {
      open(_place, widgetSettings) {
        opened.push(widgetSettings)
        return {
          execute() {
            result = { type: 'none yet' }
            log.push('execute')
          },
          result() {
            log.push('look')
            return result
          },
          remove: () => void log.push('remove'),
        }
      },
    }
  })
  const press = async (event: string, ...values: readonly unknown[]) => {
    const shown = made.view()?.screen
    if (shown) pressIn(shown, event, values)
    await settle()
  }
  const ask = async () => {
    const pass = watch(getPass(handle))
    await settle()
    if (made.name() === 'CAPTCHA_SCREEN' && (options.placed ?? true)) await press('placed', place)
    return pass
  }
  const pass = await ask()
  return {
    ...made,
    handle,
    pass,
    ask,
    press,
    log,
    loads,
    opened,
    state: () => made.view()?.screen?.state,
    looks: () => log.filter((entry) => entry === 'look').length,
    say: (next: WidgetResult) => {
      result = next
    },
    block: (blocked: boolean) => {
      isBlocked = blocked
    },
  }
}
const token = 'token-of-a-person'
const passed: WidgetResult = { type: 'passed', token }
const failure: WidgetResult = { type: 'failed' }

describe('a captcha', () => {
  // spec L2.25, W4.31, W4.32
  test('is ready, executes by itself after 0.5 s, and goes on 1 s after its success', async () => {
    const { clock, log, name, opened, pass, say, state } = await open()
    expect(name()).toBe('CAPTCHA_SCREEN')
    expect(state()).toMatchObject({ status: 'ready' })
    await clock.advance(499)
    expect(log).toEqual([])
    await clock.advance(1)
    expect(state()).toMatchObject({ status: 'loading' })
    expect(log).toEqual(['execute'])
    expect(opened).toEqual([{ siteKey: '0x4AAAsite', appId, language: 'en' }])
    say(passed)
    await clock.advance(200)
    expect(state()).toEqual({ status: 'success', token })
    await clock.advance(999)
    expect(pass.settled).toBe(false)
    await clock.advance(1)
    expect(pass.value).toEqual({ token })
    expect(name()).toBe('FIRST')
    expect(log.at(-1)).toBe('remove')
  })

  // spec W9.4
  test('is looked at every 200 ms, up to 20000 ms', async () => {
    const { clock, looks, name, pass } = await open()
    await clock.advance(500 + 1_000)
    expect(looks()).toBe(5)
    await clock.advance(18_999)
    expect(pass.settled).toBe(false)
    await clock.advance(1)
    // spec W8.36
    expect(pass.error).toMatchObject({ code: 'captcha_timeout', message: 'Captcha failed' })
    expect(name()).toBe('FIRST')
    const before = looks()
    await clock.advance(1_000)
    expect(looks()).toBe(before)
  })

  test('that waits for a tick says so, for as long as it does', async () => {
    const made = await open()
    const { clock, say, state } = made
    await clock.advance(500)
    expect(readCard(made)).toEqual(['Checking that you are human', 'This takes a few seconds.'])
    say({ type: 'asking' })
    await clock.advance(200)
    expect(readCard(made)).toEqual(['Checking that you are human', 'Tick the box below to continue.'])
    say({ type: 'none yet' })
    await clock.advance(200)
    expect(readCard(made)).toEqual(['Checking that you are human', 'This takes a few seconds.'])
    say({ type: 'asking' })
    await clock.advance(200)
    say(failure)
    await clock.advance(200)
    expect(state()).toEqual({ status: 'error', retriesLeft: 3 })
  })

  // spec W4.33, W8.35
  test('that is not passed may be tried 3 times more, each 1 s after it was asked for', async () => {
    const { clock, log, name, pass, press, say, state } = await open()
    const executions = () => log.filter((entry) => entry === 'execute').length
    await clock.advance(500)
    for (const retriesLeft of [3, 2, 1]) {
      say(failure)
      await clock.advance(200)
      expect(state()).toEqual({ status: 'error', retriesLeft })
      const before = executions()
      await press('retry')
      expect(state()).toMatchObject({ status: 'loading' })
      await clock.advance(999)
      expect(executions()).toBe(before)
      await clock.advance(1)
      expect(executions()).toBe(before + 1)
    }
    say(failure)
    await clock.advance(200)
    expect(state()).toEqual({ status: 'error', retriesLeft: 0 })
    await press('retry')
    expect(state()).toEqual({ status: 'error', retriesLeft: 0 })
    await clock.advance(30_000)
    expect(pass.settled).toBe(false)
    await press('leave')
    expect(pass).toMatchObject({ settled: true, value: undefined })
    expect(name()).toBe('FIRST')
  })

  test('passes at a retry, and has 20000 ms anew for it', async () => {
    const { clock, pass, press, say } = await open()
    await clock.advance(500 + 15_000)
    say(failure)
    await clock.advance(200)
    await press('retry')
    await clock.advance(1_000 + 19_000)
    say(passed)
    await clock.advance(200 + 1_000)
    expect(pass.value).toEqual({ token })
  })

  test('gives its user as long as the widget does to tick a box, and the widget 20000 ms after that', async () => {
    const { clock, pass, say, state } = await open()
    await clock.advance(500)
    say({ type: 'asking' })
    await clock.advance(60_000)
    expect(pass.settled).toBe(false)
    expect(state()).toMatchObject({ status: 'asking' })
    say({ type: 'none yet' })
    await clock.advance(200 + 19_999)
    expect(pass.settled).toBe(false)
    await clock.advance(1)
    expect(pass.error).toMatchObject({ code: 'captcha_timeout' })
  })

  test('whose script is kept away can be tried again, and comes then', async () => {
    const { block, clock, press, loads, pass, say, state } = await open()
    expect(loads).toEqual(['https://captcha.example'])
    block(true)
    await clock.advance(500)
    expect(state()).toMatchObject({ status: 'error', retriesLeft: 3 })
    block(false)
    await press('retry')
    await clock.advance(1_000)
    say(passed)
    await clock.advance(1_200)
    expect(pass.value).toEqual({ token })
  })

  test('waits for its place on the screen, and no longer than for anything', async () => {
    const { clock, log, pass } = await open({ placed: false })
    await clock.advance(500 + 19_999)
    expect(log).toEqual([])
    await clock.advance(1)
    expect(pass.error).toMatchObject({ code: 'captcha_timeout' })
  })
})

describe('who goes back', () => {
  test('comes to where they were, with no pass and nothing that goes on', async () => {
    const { clock, log, name, pass, stage, view } = await open()
    await clock.advance(700)
    expect(view()?.header.back).toBe(true)
    stage.back()
    await settle()
    expect(pass).toMatchObject({ settled: true, value: undefined })
    expect(name()).toBe('FIRST')
    const before = log.length
    await clock.advance(30_000)
    expect(log).toHaveLength(before)
  })

  // spec L4.16
  test('after the success is not asked again while the token is good, and then it is used up', async () => {
    const { ask, clock, name, say, stage } = await open()
    await clock.advance(500)
    say(passed)
    await clock.advance(200)
    stage.back()
    await settle()
    expect((await ask()).value).toEqual({ token })
    await ask()
    expect(name()).toBe('CAPTCHA_SCREEN')
  })

  test('after the success is asked again when the token is too old', async () => {
    const { ask, clock, name, say, stage } = await open()
    await clock.advance(500)
    say(passed)
    await clock.advance(200)
    stage.back()
    await clock.advance(240_000)
    await ask()
    expect(name()).toBe('CAPTCHA_SCREEN')
  })

  test('closes it with the login', async () => {
    const { log, pass, stage, clock } = await open()
    await clock.advance(700)
    stage.close()
    await settle()
    expect(pass.settled).toBe(true)
    expect(log.at(-1)).toBe('remove')
  })
})

// spec W5.15
test.each([['0x4AAAsite'], ['r:key'], ['t:'], [null]])(
  'the site key %j is the key of nobody',
  async (captchaSiteKey) => {
    const { name, pass, loads } = await open({
      settings: { ...settings, app: { ...settings.app, captchaSiteKey } },
    })
    expect(pass.error).toBeInstanceOf(LatchkeyError)
    expect(pass.error).toMatchObject({ code: 'captcha_disabled', message: 'Unsupported captcha site key' })
    expect(name()).toBe('FIRST')
    expect(loads).toEqual([])
  },
)

describe('the captcha of a host page (spec W3.13)', () => {
  const siteKey = 't:0x4AAAsite'
  async function enterEmail(options: Pick<FixtureOptions, 'app' | 'config'>, hasCapability = true) {
    const fixture = await makeFixture({
      addresses: { captcha: 'https://captcha.example' },
      capabilities: hasCapability ? [...capabilities, captcha] : capabilities,
      answers: { sendEmailCode: () => ({ success: true }) },
      ...options,
    })
    watch(fixture.login())
    await settle()
    await fixture.enter(0, 'submit', 'ada@example.org')
    await settle()
    return { screen: fixture.screen(), sent: fixture.transport.calls('sendEmailCode').length }
  }

  test.each([
    [{ captchaEnabled: true }, { captchaSiteKey: siteKey }],
    [{ captchaEnabled: true, captchaSiteKey: siteKey }, { captchaSiteKey: siteKey }],
    [{ captchaEnabled: false }, { captchaSiteKey: siteKey, captchaEnabled: true }],
  ])('stands before the code for the settings %j with the app %j', async (config, app) => {
    expect(await enterEmail({ config, app })).toEqual({ screen: 'CAPTCHA_SCREEN', sent: 0 })
  })

  test.each([
    ['the app has no key', { captchaEnabled: true, captchaSiteKey: siteKey }, {}],
    [
      'the page has another key',
      { captchaEnabled: true, captchaSiteKey: 't:other' },
      { captchaSiteKey: siteKey },
    ],
  ])('sends no code if %s', async (_why, config, app) => {
    expect(await enterEmail({ config, app })).toEqual({ screen: 'ERROR_SCREEN', sent: 0 })
  })

  test('sends no code if the app has nothing but e-mail, and no key', async () => {
    const { screen, sent } = await enterEmail({ config: { captchaEnabled: true } }, false)
    expect([screen, sent]).toEqual(['ERROR_SCREEN', 0])
  })

  test('is not asked for without a setting', async () => {
    const { screen } = await enterEmail({ app: { captchaSiteKey: siteKey } })
    expect(screen).toBe('AWAITING_PASSWORDLESS_CODE')
  })
})
