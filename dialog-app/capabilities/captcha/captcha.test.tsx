import { LatchkeyError } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { done, type FlowHandle } from '../../flow/flow.ts'
import { settle } from '../../testing/clock.ts'
import { type FixtureOptions, makeFixture, watch } from '../../testing/fixture.ts'
import { appId } from '../../testing/fixtures.ts'
import { renderDialog, submitEmail } from '../../testing/page.tsx'
import { first } from '../../testing/stage.ts'
import { capabilities } from '../index.ts'
import { captcha } from './captcha.ts'
import { createCaptchaPass } from './captcha-pass.ts'
import type { WidgetResult, WidgetSettings } from './widget.ts'

const checking = 'Checking that you are human'
const loading = 'This takes a few seconds.'
const asking = 'Tick the box below to continue.'
const passedText = 'We verified that you are human.'
const failed = 'You did not pass CAPTCHA. Please try again.'

/** A captcha above a screen that waits for its token, with a widget that the test controls. */
async function open({ siteKey = 't:0x4AAAsite' }: { siteKey?: string | null } = {}) {
  const fixture = await makeFixture({
    app: { captchaEnabled: true, captchaSiteKey: siteKey },
    addresses: { captcha: 'https://captcha.example' },
  })
  const started = Promise.withResolvers<FlowHandle<void>>()
  void fixture.stage.begin<void>((handle) => ({
    kind: 'login',
    run() {
      handle.go(first)
      started.resolve(handle)
    },
    onClose: () => done(undefined),
  }))
  const card = await started.promise
  let result: WidgetResult = { type: 'none yet' }
  const log: string[] = []
  const loads: string[] = []
  let load: () => Promise<void> = async () => {}
  const opened: { place: Element; settings: WidgetSettings }[] = []
  const getPass = createCaptchaPass(fixture, async (origin) => {
    loads.push(origin)
    await load()
    return {
      open(place, settings) {
        opened.push({ place, settings })
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
  const page = renderDialog(fixture)
  async function ask() {
    const pass = watch(getPass(card))
    await settle()
    // The check starts when the screen is rendered.
    if (fixture.screen() === 'CAPTCHA_SCREEN') await page.see(checking)
    return pass
  }
  const pass = await ask()
  return {
    ...fixture,
    page,
    pass,
    ask,
    log,
    loads,
    opened,
    looks: () => log.filter((entry) => entry === 'look').length,
    executions: () => log.filter((entry) => entry === 'execute').length,
    setResult: (next: WidgetResult) => {
      result = next
    },
    setLoad: (next: () => Promise<void>) => {
      load = next
    },
  }
}
const token = 'token-of-a-person'
const passed: WidgetResult = { type: 'passed', token }
const failure: WidgetResult = { type: 'failed' }

describe('a captcha', () => {
  // spec L2.25, W4.31, W4.32
  test('starts after 0.5 s, and ends 1 s after its success', async () => {
    const { clock, log, screen, opened, page, pass, setResult } = await open()
    await page.see(loading)
    await clock.advance(499)
    expect(log).toEqual([])
    await clock.advance(1)
    expect(log).toEqual(['execute'])
    expect(opened.map(({ settings }) => settings)).toEqual([{ siteKey: '0x4AAAsite', appId, language: 'en' }])
    expect(opened[0]?.place.isConnected).toBe(true)
    setResult(passed)
    await clock.advance(200)
    await page.see('Success')
    await page.see(passedText)
    await clock.advance(999)
    expect(pass.settled).toBe(false)
    await clock.advance(1)
    expect(pass.value).toEqual({ token })
    expect(screen()).toBe('FIRST')
    expect(log.at(-1)).toBe('remove')
  })

  // spec W9.4
  test('is polled every 200 ms, up to 20000 ms', async () => {
    const { clock, looks, screen, pass } = await open()
    await clock.advance(500 + 1_000)
    expect(looks()).toBe(5)
    await clock.advance(18_999)
    expect(pass.settled).toBe(false)
    await clock.advance(1)
    // spec W8.36
    expect(pass.error).toMatchObject({ code: 'captcha_timeout', message: 'Captcha failed' })
    expect(screen()).toBe('FIRST')
    const before = looks()
    await clock.advance(1_000)
    expect(looks()).toBe(before)
  })

  test('asks for a tick as long as the widget waits for one', async () => {
    const { clock, page, setResult } = await open()
    await clock.advance(500)
    await page.see(loading)
    setResult({ type: 'asking' })
    await clock.advance(200)
    await page.see(asking)
    expect([page.has(checking), page.has(loading)]).toEqual([true, false])
    setResult({ type: 'none yet' })
    await clock.advance(200)
    await page.see(loading)
    expect(page.has(asking)).toBe(false)
    setResult({ type: 'asking' })
    await clock.advance(200)
    setResult(failure)
    await clock.advance(200)
    await page.see(failed)
  })

  // spec W4.33, W8.35
  test('can be retried 3 times, each 1 s after the press', async () => {
    const { clock, executions, page, pass, screen, setResult } = await open()
    await clock.advance(500)
    for (let retry = 1; retry <= 3; retry += 1) {
      setResult(failure)
      await clock.advance(200)
      await page.see(failed)
      const before = executions()
      await page.press('Try again')
      await page.see(loading)
      await clock.advance(999)
      expect(executions()).toBe(before)
      await clock.advance(1)
      expect(executions()).toBe(before + 1)
    }
    setResult(failure)
    await clock.advance(200)
    await page.see('If you use an adblocker or VPN, try disabling and re-attempting.')
    expect(page.hasButton('Try again')).toBe(false)
    await clock.advance(30_000)
    expect(pass.settled).toBe(false)
    await page.press('Go back')
    expect(pass).toMatchObject({ settled: true, value: undefined })
    expect(screen()).toBe('FIRST')
  })

  test('has 20000 ms for each retry', async () => {
    const { clock, page, pass, setResult } = await open()
    await clock.advance(500 + 15_000)
    setResult(failure)
    await clock.advance(200)
    await page.press('Try again')
    await clock.advance(1_000 + 19_000)
    setResult(passed)
    await clock.advance(200 + 1_000)
    expect(pass.value).toEqual({ token })
  })

  test('has no deadline while the widget waits for a tick, and 20000 ms after it', async () => {
    const { clock, page, pass, setResult } = await open()
    await clock.advance(500)
    setResult({ type: 'asking' })
    await clock.advance(60_000)
    expect(pass.settled).toBe(false)
    await page.see(asking)
    setResult({ type: 'none yet' })
    await clock.advance(200 + 19_999)
    expect(pass.settled).toBe(false)
    await clock.advance(1)
    expect(pass.error).toMatchObject({ code: 'captcha_timeout' })
  })

  test('can be retried after its script was blocked', async () => {
    const { clock, page, loads, pass, setLoad, setResult } = await open()
    expect(loads).toEqual(['https://captcha.example'])
    setLoad(() => Promise.reject(new Error('blocked')))
    await clock.advance(500)
    await page.see(failed)
    setLoad(async () => {})
    await page.press('Try again')
    await clock.advance(1_000)
    setResult(passed)
    await clock.advance(1_200)
    expect(pass.value).toEqual({ token })
  })

  test('does not wait longer for a script that does not load', async () => {
    const { clock, log, pass, setLoad } = await open()
    setLoad(() => new Promise(() => {}))
    await clock.advance(500 + 19_999)
    expect([log, pass.settled]).toEqual([[], false])
    await clock.advance(1)
    expect(pass.error).toMatchObject({ code: 'captcha_timeout' })
  })
})

describe('going back from a captcha', () => {
  test('leads to the screen before, without a token, and stops the check', async () => {
    const { clock, log, screen, pass, back, view } = await open()
    await clock.advance(700)
    expect(view()?.header.back).toBe(true)
    await back()
    expect(pass).toMatchObject({ settled: true, value: undefined })
    expect(screen()).toBe('FIRST')
    const before = log.length
    await clock.advance(30_000)
    expect(log).toHaveLength(before)
  })

  // spec L4.16
  test('after the success keeps the token for one later request', async () => {
    const { ask, back, clock, screen, setResult } = await open()
    await clock.advance(500)
    setResult(passed)
    await clock.advance(200)
    await back()
    expect((await ask()).value).toEqual({ token })
    await ask()
    expect(screen()).toBe('CAPTCHA_SCREEN')
  })

  test('after the success leads to a new captcha once the token is too old', async () => {
    const { ask, back, clock, screen, setResult } = await open()
    await clock.advance(500)
    setResult(passed)
    await clock.advance(200)
    await back()
    await clock.advance(240_000)
    await ask()
    expect(screen()).toBe('CAPTCHA_SCREEN')
  })
})

test('a captcha closes with the login below it', async () => {
  const { log, pass, close, clock } = await open()
  await clock.advance(700)
  await close()
  expect(pass.settled).toBe(true)
  expect(log.at(-1)).toBe('remove')
})

// spec W5.15
test.each([['0x4AAAsite'], ['r:key'], ['t:'], [null]])('rejects the site key %j', async (siteKey) => {
  const { screen, pass, loads } = await open({ siteKey })
  expect(pass.error).toBeInstanceOf(LatchkeyError)
  expect(pass.error).toMatchObject({ code: 'captcha_disabled', message: 'Unsupported captcha site key' })
  expect(screen()).toBe('FIRST')
  expect(loads).toEqual([])
})

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
    await submitEmail(fixture, 'ada@example.org')
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
