import { describe, expect, test } from 'vitest'
import { settle } from '../testing/clock.ts'
import { makeWorld, refused } from '../testing/world.ts'
import { makeFakeBrowser } from '../window-login/testing.ts'
import { capabilitiesIn } from './oauth/testing.ts'

const email = 'ada@example.com'

describe('a first code whose user turned to another way while it was on its way', () => {
  test.each([
    ['is sent', ({ resolve }: PromiseWithResolvers<{ success: true }>) => resolve({ success: true })],
    ['is refused', ({ reject }) => reject(refused('too_many_requests', 429))],
  ])('and that %s leaves the field as it was, for another', async (_name, end) => {
    const sendings: PromiseWithResolvers<{ success: true }>[] = []
    const world = await makeWorld({
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
    void world.login().catch(() => {})
    await settle()
    await world.enter(0, 'submit', email)
    expect(world.entry(0)).toMatchObject({ status: 'sending' })
    await world.enter(1, 'press')
    const [first] = sendings
    if (!first) throw new Error('No code was asked for')
    end(first)
    await settle()
    expect(world.screen()).toBe('AWAITING_OAUTH_SCREEN')
    await world.back()
    expect(world.entry(0)).toMatchObject({ status: 'ready', address: email })
    await world.enter(0, 'submit', email)
    expect(sendings).toHaveLength(2)
    sendings[1]?.resolve({ success: true })
    await settle()
    expect(world.screen()).toBe('AWAITING_PASSWORDLESS_CODE')
  })
})
