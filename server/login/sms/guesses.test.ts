/** Guess limits for codes that a third party verifies. */
import { beforeEach, expect, test, vi } from 'vitest'
import { sendGuessStorm, serveOverSockets } from '../../identity/codes/testing/storm.ts'
import { testBrowser } from '../../identity/sessions/testing/browser.ts'
import { forEachEngine, runsAllTests } from '../../kernel/db/test-engines.ts'
import { type SmsFixture, smsFixture, startTwilio, wrong, wrongFor } from './testing/fixture.ts'

// A thousand concurrent calls.
vi.setConfig({ testTimeout: 120_000 })

const twilio = await startTwilio()

forEachEngine((database, engine) => {
  let context: SmsFixture['context']
  let app: SmsFixture['app']
  let server: SmsFixture['server']
  let newBrowser: SmsFixture['newBrowser']
  let phone = ''
  let send: SmsFixture['send']
  let codeFor: SmsFixture['codeFor']
  let login: SmsFixture['login']
  beforeEach(async () => {
    ;({ context, app, server, phone, newBrowser, send, codeFor, login } = await smsFixture(
      database(),
      twilio,
    ))
  })

  test('forwards at most five guesses in ten minutes, across parallel calls and resends', async () => {
    const code = await codeFor()
    const { checks } = await twilio.counts()
    const first = await Promise.all([1, 2, 3].map(() => login(wrongFor(code))))
    await send()
    const second = await Promise.all([1, 2, 3, 4, 5].map(() => login(wrongFor(code))))
    const statuses = [...first, ...second].map(({ status }) => status)
    expect(statuses.filter((status) => status === 422)).toHaveLength(5)
    expect(statuses.filter((status) => status === 429)).toHaveLength(3)
    expect((await twilio.counts()).checks).toBe(checks + 5)
    expect(await login(code)).toMatchObject({ status: 429, answer: { code: 'too_many_requests' } })
  })

  test('forwards at most five of a thousand guesses from spoofed addresses with resends', async () => {
    const reachable = await serveOverSockets(server)
    const [logging, linking] = [testBrowser(reachable, context, app), testBrowser(reachable, context, app)]
    const { token } = await linking.login('ben@example.com')
    const code = await codeFor(logging)
    const wrongCode = wrongFor(code)
    await send(linking)
    const { checks } = await twilio.counts()
    const body = { phoneNumber: phone, code: wrongCode }
    const answers = await sendGuessStorm(
      (index, headers) =>
        index % 2 === 0
          ? logging.call('loginWithSmsCode', { body, headers })
          : linking.call('linkPhone', { token, body, headers }),
      () => send(logging),
    )
    // On a busy machine, a check may be interrupted. It was charged, and is not repeated.
    const passedOn = (await twilio.counts()).checks - checks
    expect(passedOn).toBeGreaterThan(0)
    expect(passedOn).toBeLessThanOrEqual(5)
    expect(answers.filter(({ status }) => status === 422).length).toBeLessThanOrEqual(passedOn)
    expect(answers.filter(({ status }) => status === 200)).toEqual([])
    expect(await login(code, logging)).toMatchObject({ status: 429, answer: { code: 'too_many_requests' } })
    await reachable.close()
  })

  if (!runsAllTests(engine)) return

  test('limits a network to a hundred numbers in ten minutes, without affecting others', async () => {
    const newBrowser = () => testBrowser(server, context, app, '198.51.100.7')
    const sendTo = (number: number, browser = newBrowser()) => {
      const phoneNumber = `+1 202555${String(number).padStart(4, '0')}`
      return browser.call('sendSmsCode', { body: { phoneNumber } })
    }
    for (let number = 0; number < 100; number += 1)
      expect(await sendTo(number)).toMatchObject({ status: 200 })
    const { sendings } = await twilio.counts()
    expect(await sendTo(100)).toMatchObject({ status: 429, answer: { code: 'too_many_requests' } })
    expect((await twilio.counts()).sendings).toBe(sendings)
    expect(await sendTo(100, testBrowser(server, context, app, '198.51.100.8'))).toMatchObject({
      status: 200,
    })
    context.clock.advanceSeconds(600)
    expect(await sendTo(101)).toMatchObject({ status: 200 })
  })

  test('limits a browser to twenty numbers in ten minutes, without affecting others', async () => {
    const from = testBrowser(server, context, app, '198.51.100.7')
    const sendTo = (number: number, browser = from) => {
      const phoneNumber = `+1 202555${String(number).padStart(4, '0')}`
      return browser.call('sendSmsCode', { body: { phoneNumber } })
    }
    for (let number = 0; number < 20; number += 1) expect(await sendTo(number)).toMatchObject({ status: 200 })
    const { sendings } = await twilio.counts()
    const refused = await sendTo(20)
    expect(refused).toMatchObject({ status: 429, answer: { code: 'too_many_requests' } })
    expect(refused.headers.get('retry-after')).toBe('600')
    expect((await twilio.counts()).sendings).toBe(sendings)
    expect(await sendTo(20, testBrowser(server, context, app, '198.51.100.7'))).toMatchObject({ status: 200 })
  })

  test('right guesses are not charged', async () => {
    for (let turn = 0; turn < 4; turn += 1)
      expect(await login(await codeFor())).toMatchObject({ status: 200 })
    const code = await codeFor()
    for (let turn = 0; turn < 5; turn += 1) expect(await login(wrongFor(code))).toMatchObject(wrong)
    expect(await login(code)).toMatchObject({ status: 429 })
  })

  test('guesses without a code are not charged to the number', async () => {
    const code = await codeFor()
    for (let turn = 0; turn < 8; turn += 1) {
      expect(await login(code, newBrowser())).toMatchObject(wrong)
    }
    expect(await login(code)).toMatchObject({ status: 200 })
  })
})
