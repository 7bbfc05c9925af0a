import { LatchkeyError } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { capabilities } from '../../capabilities/index.ts'
import { settle } from '../clock.ts'
import { type FixtureOptions, makeFixture, refused, watch } from '../fixture.ts'
import { makeAuthAnswer, visitorUser, walletAddress, walletUser } from '../fixtures.ts'
import { type Page, renderDialog } from '../page.tsx'
import { createGuest } from './guest.ts'
import type { Authenticate } from './guest-login.tsx'
import { texts } from './texts.arb'

const knows: Authenticate = async (word) => {
  if (word !== 'sesame') throw refused('allowlist_rejected', 403)
  return makeAuthAnswer()
}

const openHouse = (options: FixtureOptions = {}, authenticate = knows) =>
  makeFixture({
    answers: { logout: () => ({ success: true }), me: () => visitorUser },
    app: { passkeyAuth: true },
    ...options,
    capabilities: [
      ...capabilities.filter(({ name }) => name !== 'passkey' && name !== 'mfa'),
      createGuest(authenticate),
    ],
  })
type House = Awaited<ReturnType<typeof openHouse>>

async function enterWord(page: Page, word: string) {
  await page.type('Word', word)
  await page.press('Say it')
}

async function knock(house: House, word = 'sesame') {
  const login = watch(house.login())
  await settle()
  const page = renderDialog(house)
  await page.press('Knock')
  await enterWord(page, word)
  return login
}

describe('an added login method', () => {
  test('is on LANDING beside the others, shows its screens, and logs in', async () => {
    const house = await openHouse()
    const login = await knock(house)
    expect(house.wallet.log).toEqual(['prepareOperation'])
    expect(house.screen()).toBe('GUEST_WAIT_SCREEN')
    await house.clock.advance(1_999)
    expect(login.settled).toBe(false)
    await house.clock.advance(1)
    expect(login.value).toMatchObject({ user: { id: visitorUser.id }, loginMethod: 'passkey' })
    await house.clock.advance(1_400)
    expect(house.view()?.open).toBe(false)
    expect(house.events).toEqual(['modal_open', 'sdk_authenticate', 'modal_closed'])
  })

  test('is not offered if the app disabled it', async () => {
    const house = await openHouse({ app: { passkeyAuth: false } })
    void house.login().catch(() => {})
    await settle()
    const page = renderDialog(house)
    await page.see('Log in to Demo')
    expect(page.hasButton('Knock')).toBe(false)
  })

  test('returns to LANDING, and ends when the login is closed', async () => {
    const house = await openHouse()
    const login = watch(house.login())
    await settle()
    const page = renderDialog(house)
    await page.press('Knock')
    await page.see('Who is there?')
    await page.press('Back')
    expect(house.screen()).toBe('LANDING')
    await page.press('Knock')
    await enterWord(page, 'sesame')
    await house.close()
    await house.clock.advance(5_000)
    expect(login.error).toMatchObject({ code: 'exited_auth_flow' })
    expect(house.session.state().status).not.toBe('authenticated')
  })

  test('shows the common screens of refusals', async () => {
    const house = await openHouse()
    await knock(house, 'mellon')
    await house.clock.advance(2_000)
    expect(house.screen()).toBe('ALLOWLIST_REJECTION_SCREEN')
    await renderDialog(house).press('Try another account')
    expect(house.screen()).toBe('LANDING')
  })
})

describe('a wallet call that needs a second factor', () => {
  /** The wallet signs at the second attempt. */
  async function review() {
    let tries = 0
    const house = await openHouse({
      wallet: {
        async signMessage() {
          tries += 1
          if (tries === 1) throw new LatchkeyError('missing_or_invalid_mfa', 'A second factor is needed')
          return '0xsigned'
        },
      },
    })
    house.session.accept(makeAuthAnswer({ user: walletUser }))
    const page = renderDialog(house)
    const signing = watch(house.signMessage({ message: 'Hello' }))
    await settle()
    await page.approve()
    return { house, page, signing }
  }

  test('is interrupted by the verification, and then continues', async () => {
    const { house, page, signing } = await review()
    expect(house.screen()).toBe('GUEST_VERIFY_SCREEN')
    expect(signing.settled).toBe(false)
    await page.press('It is me')
    expect(signing.value).toEqual({ signature: '0xsigned', address: walletAddress })
    await page.see('Success')
    await house.clock.advance(1_600)
    expect(house.frame).toEqual(['show', 'hide'])
  })

  test('fails if the user goes back, and can be retried', async () => {
    const { house, page, signing } = await review()
    expect(house.view()?.header.back).toBe(true)
    await house.back()
    await page.see('Unable to sign')
    expect(signing.settled).toBe(false)
    await house.close()
    expect(signing.error).toMatchObject({ code: 'missing_or_invalid_mfa', message: 'MFA canceled' })
  })

  test('is closed with the verification, and rejects as refused by the user', async () => {
    const { house, signing } = await review()
    await house.close()
    expect(signing.error).toMatchObject({ code: 'user_rejected_request', details: { code: 4001 } })
    expect(house.view()?.open).toBe(false)
  })
})

test('its texts exist in both languages', async () => {
  await texts.load('ar')
  expect(texts.in('en').knock.title).toBe('Who is there?')
  expect(texts.in('ar').knock.title).toBe('من هناك؟')
})
