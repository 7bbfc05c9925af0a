/** Who may guess how often, where somebody else holds the code and is asked about each guess. */
import { beforeEach, expect, test, vi } from 'vitest'
import { forEachEngine } from '../../db/test-engines.ts'
import type { TestBrowser } from '../../sessions/testing/browser.ts'
import { type SmsWorld, smsWorld, startTwilio, wrong, wrongFor } from './testing/world.ts'

// A thousand calls at once.
vi.setConfig({ testTimeout: 120_000 })

const twilio = await startTwilio()

forEachEngine((database) => {
  let newBrowser: SmsWorld['newBrowser']
  let browser: TestBrowser
  let phone = ''
  let send: SmsWorld['send']
  let codeFor: SmsWorld['codeFor']
  let login: SmsWorld['login']
  beforeEach(async () => {
    ;({ browser, phone, newBrowser, send, codeFor, login } = await smsWorld(database(), twilio))
  })

  test('are five in ten minutes, whatever the parallel calls and resends, and no more are passed on', async () => {
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

  test('that were right cost nothing', async () => {
    for (let turn = 0; turn < 4; turn += 1)
      expect(await login(await codeFor())).toMatchObject({ status: 200 })
    const code = await codeFor()
    for (let turn = 0; turn < 5; turn += 1) expect(await login(wrongFor(code))).toMatchObject(wrong)
    expect(await login(code)).toMatchObject({ status: 429 })
  })

  test('of many strangers without a code cost the number nothing', async () => {
    const code = await codeFor()
    for (let turn = 0; turn < 8; turn += 1) {
      expect(await login(code, newBrowser())).toMatchObject(wrong)
    }
    expect(await login(code)).toMatchObject({ status: 200 })
  })

  test('a thousand at once from a thousand claimed addresses, with resends between, are at most five that are passed on', async () => {
    const code = await codeFor()
    const { checks } = await twilio.counts()
    const claimed = (index: number) => `10.${index >> 8}.${index & 255}.7`
    const guess = (index: number) =>
      browser.call('loginWithSmsCode', {
        body: { phoneNumber: phone, code: wrongFor(code) },
        headers: { 'x-forwarded-for': claimed(index), forwarded: `for=${claimed(index)}` },
      })
    const calls = Array.from({ length: 1_000 }, (_, index) => [
      guess(index),
      ...(index % 250 === 125 ? [send()] : []),
    ]).flat()
    const answers = await Promise.all(calls)
    expect(answers).toHaveLength(1_004)
    // On a busy machine an ask may be cut off: it was counted, and is not asked again.
    const passedOn = (await twilio.counts()).checks - checks
    expect(passedOn).toBeGreaterThan(0)
    expect(passedOn).toBeLessThanOrEqual(5)
    expect(answers.filter(({ status }) => status === 422).length).toBeLessThanOrEqual(passedOn)
    expect(await login(code)).toMatchObject({ status: 429, answer: { code: 'too_many_requests' } })
  })
})
