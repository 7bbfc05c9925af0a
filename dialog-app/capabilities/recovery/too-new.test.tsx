/** What came to a user only lately opens no wallet on a new device; what they had before does, in the same card. */
import { LatchkeyError, type LinkedAccount, type UserRecord } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { settle } from '../../testing/clock.ts'
import { makeBrowser, makeFixture, watch } from '../../testing/fixture.ts'
import { makeAuthAnswer, visitorUser, walletUser } from '../../testing/fixtures.ts'
import { renderDialog, submitEmail } from '../../testing/page.tsx'
import { sayTooNew } from './too-new.ts'

const tooNew = 'EMBEDDED_WALLET_TOO_NEW_SCREEN'
const title = 'Not with this login yet'
const logInOtherwise = 'Log in with another method'
const verify = 'Verify with another method'
const away = new LatchkeyError('wallet_not_on_device', 'Not here')
const googleAccount = {
  type: 'google_oauth',
  subject: '1',
  email: 'ada@gmail.example',
  name: 'Ada',
  verifiedAt: 1,
  firstVerifiedAt: 1,
  latestVerifiedAt: 1,
} satisfies LinkedAccount

describe('a recovery that is rejected because the user’s method is too new', () => {
  const hour = 3_600
  const wallet = walletUser.linkedAccounts.filter(({ type }) => type === 'wallet')
  /** An address that the user began with, one that they added lately, and perhaps a factor. */
  async function refusedOnce(after?: UserRecord) {
    const fixture = makeBrowser()
    const nowSeconds = Math.floor(fixture.clock.nowMs() / 1_000)
    const createdAt = nowSeconds - 100 * hour
    const [email] = visitorUser.linkedAccounts
    if (email?.type !== 'email') throw new Error('The visitor has an address')
    const user: UserRecord = {
      ...walletUser,
      createdAt,
      linkedAccounts: [
        { ...email, firstVerifiedAt: createdAt },
        { ...googleAccount, firstVerifiedAt: nowSeconds - hour },
        ...wallet,
      ],
    }
    let isOld = false
    let tries = 0
    const made = await makeFixture({
      browser: fixture,
      app: { googleOauth: true },
      config: { loginMethods: ['email', 'google'] },
      answers: {
        sendEmailCode: () => ({ success: true }),
        loginWithEmailCode: () => makeAuthAnswer({ user: after ?? user }),
        logout: () => ({ success: true }),
        me: () => user,
      },
      wallet: {
        acceptLogin: () => {
          isOld = true
        },
        async connect() {
          if (!isOld || tries < 2) throw away
        },
        async recover() {
          tries += 1
          if (isOld) return
          const details = { until: nowSeconds + 71 * hour, hours: 72 }
          throw new LatchkeyError('method_too_new', 'New', { details })
        },
      },
    })
    made.session.accept(makeAuthAnswer({ user }))
    const page = renderDialog(made)
    const signed = watch(made.signMessage({ message: 'hello' }))
    await settle()
    return { made, page, signed, tries: () => tries }
  }
  const logIn = async ({ made, page }: Awaited<ReturnType<typeof refusedOnce>>) => {
    await submitEmail(made, 'ada@example.org')
    await page.type('Digit 1 of 6', '123456')
  }

  test('offers a login by an older method on the same card, and continues the call', async () => {
    const asked = await refusedOnce()
    const { made, page, signed } = asked
    expect(made.screen()).toBe(tooNew)
    await page.see(/^It counts as new until \w+ \d+, \d{4}/)
    expect(page.hasButton(verify)).toBe(false)
    await page.press(logInOtherwise)
    expect(made.screen()).toBe('LOG_IN_OTHERWISE')
    await page.see('Log in with another method')
    // The account at Google is new itself.
    expect(page.controls()).toHaveLength(1)
    await logIn(asked)
    expect(asked.tries()).toBe(2)
    await page.see('Sign message')
    expect(signed.settled).toBe(false)
    expect(made.frame).toEqual(['show'])
    await page.approve()
    expect(signed.value).toMatchObject({ signature: '0xsigned' })
  })

  /** Shows the screen alone, because a call of a user with a factor would verify it first. */
  async function told(change: (nowSeconds: number) => Partial<UserRecord>) {
    const made = await makeFixture({})
    const nowSeconds = Math.floor(made.clock.nowMs() / 1_000)
    made.session.accept(makeAuthAnswer({ user: { ...walletUser, createdAt: 1, ...change(nowSeconds) } }))
    const error = new LatchkeyError('method_too_new', 'New', { details: { until: null, hours: 72 } })
    const page = renderDialog(made)
    const services = { ...made, logInAgain: async () => {} }
    const asked = watch(made.stage.begin(sayTooNew(services, error, 'recovery')))
    await page.see(title)
    return { page, asked }
  }
  test('tries the call again after a verification by an older method', async () => {
    const { page, asked } = await told((nowSeconds) => ({
      linkedAccounts: wallet,
      mfaMethods: [{ type: 'totp', verifiedAt: nowSeconds - 72 * hour }],
    }))
    expect([page.has(/^It counts as new until/), page.hasButton(logInOtherwise)]).toEqual([false, false])
    expect(asked.settled).toBe(false)
    await page.press(verify)
    expect(asked).toMatchObject({ settled: true, value: undefined })
  })

  test('offers neither if every method is new', async () => {
    const { page } = await told((nowSeconds) => ({
      linkedAccounts: [{ ...googleAccount, firstVerifiedAt: nowSeconds - 71 * hour }, ...wallet],
      mfaMethods: [{ type: 'totp', verifiedAt: nowSeconds - 71 * hour }],
    }))
    await page.see('Log out, and log in the way you did before.')
    expect([page.hasButton(logInOtherwise), page.hasButton(verify)]).toEqual([false, false])
  })

  test('rejects the call if the user closes the card or goes back', async () => {
    const closed = await refusedOnce()
    await closed.page.press(logInOtherwise)
    await closed.made.close()
    await settle()
    expect(closed.signed.error).toMatchObject({ code: 'user_rejected_request' })

    const left = await refusedOnce()
    await left.page.press('Back')
    await left.page.see('Unable to sign')
    left.made.stage.close()
    await settle()
    expect(left.signed.error).toMatchObject({ code: 'unable_to_sign' })
  })

  test('does not continue for another user', async () => {
    const asked = await refusedOnce({ ...visitorUser, id: 'user-2' })
    await asked.page.press(logInOtherwise)
    await logIn(asked)
    await settle()
    expect(asked.tries()).toBe(1)
    expect(asked.made.wallet.log).not.toContain('sign hello')
  })
})

describe('a signature that is rejected because all verified methods are too new', () => {
  async function refusedOnce() {
    let tries = 0
    const made = await makeFixture({
      wallet: {
        async signMessage() {
          tries += 1
          if (tries > 1) return '0xsecond'
          throw new LatchkeyError('method_too_new', 'New', { details: { until: 1_767_484_860, hours: 72 } })
        },
      },
    })
    const user: UserRecord = { ...walletUser, mfaMethods: [{ type: 'totp', verifiedAt: 1 }] }
    made.session.accept(makeAuthAnswer({ user }))
    const page = renderDialog(made)
    const signed = watch(made.signMessage({ message: 'hello' }))
    await settle()
    await page.approve()
    await settle()
    return { made, page, signed, tries: () => tries }
  }

  test('shows until when they are new, and signs after a verification with an older one', async () => {
    const { page, signed, tries } = await refusedOnce()
    // 1,767,484,860 is 4 January 2026.
    await page.see(/^It counts as new until Jan 4, 2026/)
    await page.see(/so it cannot approve this\.$/)
    await page.press(verify)
    expect(tries()).toBe(2)
    expect(signed.value).toMatchObject({ signature: '0xsecond' })
  })

  test('fails as refused if its user goes back', async () => {
    const { page, tries } = await refusedOnce()
    await page.press('Back')
    expect(tries()).toBe(1)
    await page.see('Unable to sign')
  })
})
