import { describe, expect, test } from 'vitest'
import { settle } from '../testing/clock.ts'
import { makeFixture, refused } from '../testing/fixture.ts'
import { submitEmail } from '../testing/page.tsx'
import { makeFakeBrowser } from '../window-login/testing.ts'
import { capabilitiesIn } from './oauth/testing.ts'

const email = 'ada@example.com'

describe('a code request during which the user chooses another login method', () => {
  test.each([
    ['succeeds', ({ resolve }: PromiseWithResolvers<{ success: true }>) => resolve({ success: true })],
    ['fails', ({ reject }) => reject(refused('too_many_requests', 429))],
  ])('keeps the e-mail field usable if the code request %s', async (_name, end) => {
    const sendings: PromiseWithResolvers<{ success: true }>[] = []
    const fixture = await makeFixture({
      answers: {
        startOAuth: () => new Promise(() => {}),
        sendEmailCode() {
          const sending = Promise.withResolvers<{ success: true }>()
          sendings.push(sending)
          return sending.promise
        },
      },
      app: { emailAuth: true, googleOauth: true },
      capabilities: capabilitiesIn(makeFakeBrowser()),
    })
    void fixture.login().catch(() => {})
    await settle()
    const page = await submitEmail(fixture, email)
    expect(page.isBusy(/^Submit|^Sending/)).toBe(true)
    await page.press('Google')
    const [first] = sendings
    if (!first) throw new Error('No code was asked for')
    end(first)
    await settle()
    expect(fixture.screen()).toBe('AWAITING_OAUTH_SCREEN')
    await fixture.back()
    expect([page.value('E-mail'), page.isBusy('Submit e-mail address')]).toEqual([email, false])
    await submitEmail(fixture, email)
    expect(sendings).toHaveLength(2)
    sendings[1]?.resolve({ success: true })
    await settle()
    expect(fixture.screen()).toBe('AWAITING_PASSWORDLESS_CODE')
  })
})
