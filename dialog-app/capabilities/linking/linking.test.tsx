import type { UserRecord } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { settle } from '../../testing/clock.ts'
import { type Answers, type Fixture, makeFixture, refused, watch } from '../../testing/fixture.ts'
import { makeAuthAnswer, visitorUser } from '../../testing/fixtures.ts'
import { renderDialog, submitEmail, submitPhone } from '../../testing/page.tsx'
import { readCard } from '../../testing/read-screen.ts'

const times = { verifiedAt: 1, firstVerifiedAt: 1, latestVerifiedAt: 1 }
const email = { type: 'email' as const, address: 'ada@example.com', ...times }
const phone = { type: 'phone' as const, phoneNumber: '+1 2025550123', ...times }
const withAccounts = (...linkedAccounts: (typeof email | typeof phone)[]) => ({
  ...visitorUser,
  linkedAccounts,
})
const app = { emailAuth: true, smsAuth: true }

async function open(accounts: (typeof email | typeof phone)[], answers: Answers = {}) {
  const user = withAccounts(...accounts)
  const fixture = await makeFixture({ answers: { me: () => user, ...answers }, app })
  await fixture.session.start()
  fixture.session.accept(makeAuthAnswer({ user }))
  await settle()
  return fixture
}

const number = '+12025550123'

describe('linking', () => {
  // spec L2.49
  test('a phone number is linked after its code is verified, and the host gets the user', async () => {
    const fixture = await open([email], {
      sendSmsCode: () => ({ success: true }),
      linkPhone: () => withAccounts(email, phone),
    })
    const linked = watch(fixture.link('sms'))
    await settle()
    expect(fixture.screen()).toBe('LINK_PHONE_SCREEN')
    await submitPhone(fixture, number)
    await renderDialog(fixture).type('Digit 1 of 6', '123456')
    expect(fixture.transport.calls('linkPhone')[0]).toMatchObject({
      body: { phoneNumber: '+1 2025550123', code: '123456' },
      token: expect.any(String),
    })
    expect(linked.value).toMatchObject({ user: { phone: { number: '+1 2025550123' } } })
    expect(fixture.session.state()).toMatchObject({ user: { linkedAccounts: [email, phone] } })
    expect(fixture.transport.calls('loginWithSmsCode')).toEqual([])
    await fixture.clock.advance(1_399)
    expect(fixture.frame).toEqual(['show'])
    await fixture.clock.advance(1 + 200)
    expect(fixture.frame).toEqual(['show', 'hide'])
  })

  // spec L1.2, L2.48
  test('an e-mail address has its own screen, and its code is sent to the link route', async () => {
    const fixture = await open([phone], {
      sendEmailCode: () => ({ success: true }),
      linkEmail: () => withAccounts(email, phone),
    })
    const linked = watch(fixture.link('email'))
    await settle()
    expect(fixture.screen()).toBe('LINK_EMAIL_SCREEN')
    await submitEmail(fixture, 'ada@example.com')
    expect(fixture.transport.calls('sendEmailCode')[0]?.body).toEqual({ email: 'ada@example.com' })
    await renderDialog(fixture).type('Digit 1 of 6', '123456')
    expect(fixture.transport.calls('linkEmail')[0]?.body).toEqual({
      email: 'ada@example.com',
      code: '123456',
    })
    expect(fixture.transport.calls('loginWithEmailCode')).toEqual([])
    expect(linked.value).toMatchObject({ user: { email: { address: 'ada@example.com' } } })
  })

  // spec L6.9, W6.1
  test('rejects for a visitor without a card', async () => {
    const fixture = await makeFixture({ app })
    await fixture.session.start()
    await expect(fixture.link('sms')).rejects.toMatchObject({ code: 'must_be_authenticated' })
    await expect(fixture.unlink('sms', phone.phoneNumber)).rejects.toMatchObject({
      code: 'must_be_authenticated',
    })
    await expect(fixture.updateEmail()).rejects.toMatchObject({ code: 'must_be_authenticated' })
    expect(fixture.frame).toEqual([])
  })

  // spec L5.16
  test('rejects a second account of a type without a card, with the message of the specification', async () => {
    const fixture = await open([email, phone])
    await expect(fixture.link('sms')).rejects.toMatchObject({
      code: 'cannot_link_more_of_type',
      message: 'User already has an account of type phone linked.',
    })
    expect(fixture.frame).toEqual([])
  })

  test.each(['google', 'sms'] as const)('rejects %s if the app does not enable it', async (method) => {
    const fixture = await makeFixture({
      answers: { me: () => withAccounts(email) },
      app: { emailAuth: true },
    })
    await fixture.session.start()
    fixture.session.accept(makeAuthAnswer({ user: withAccounts(email) }))
    await expect(fixture.link(method)).rejects.toMatchObject({ code: 'disallowed_login_method' })
    expect(fixture.frame).toEqual([])
  })

  test('rejects a phone number without a card or a code if SMS is a second factor', async () => {
    const user = { ...withAccounts(email), mfaMethods: [{ type: 'sms' as const, verifiedAt: 1 }] }
    const fixture = await open([email], { me: () => user })
    fixture.session.replaceUser(user)
    const linked = watch(fixture.link('sms'))
    await settle()
    expect(linked.error).toMatchObject({
      code: 'not_supported',
      message: 'SMS can be a login method or a verification method, not both',
    })
    expect(fixture.frame).toEqual([])
    expect(fixture.transport.calls('sendSmsCode')).toEqual([])
  })

  // spec L4.12
  test('rejects with exited_link_flow if the user closes the card', async () => {
    const fixture = await open([email])
    const linked = watch(fixture.link('sms'))
    await settle()
    await fixture.close()
    expect(linked.error).toMatchObject({ code: 'exited_link_flow' })
  })

  // spec L8.16
  test('an account of another user is reported on the error screen and to the host', async () => {
    const fixture = await open([email], {
      sendSmsCode: () => ({ success: true }),
      linkPhone: () => {
        throw refused('linked_to_another_user', 400)
      },
    })
    const linked = watch(fixture.link('sms'))
    await settle()
    expect(fixture.screen()).toBe('LINK_PHONE_SCREEN')
    await submitPhone(fixture, number)
    await renderDialog(fixture).type('Digit 1 of 6', '123456')
    expect(readCard(fixture)).toEqual(
      expect.arrayContaining([
        'Authentication failed',
        'This account has already been linked to another user.',
      ]),
    )
    expect(linked.settled).toBe(false)
    await fixture.close()
    expect(linked.error).toMatchObject({ code: 'linked_to_another_user' })
    expect(fixture.session.state()).toMatchObject({ user: { linkedAccounts: [email] } })
  })
})

describe('a change of the e-mail address', () => {
  // spec L2.51, L7.39
  test('sends the code to the new one, and names both to the server', async () => {
    const next = { ...email, address: 'ada@new.example' }
    const fixture = await open([email], {
      sendEmailCode: () => ({ success: true }),
      updateEmail: () => withAccounts(next),
    })
    const changed = watch(fixture.updateEmail())
    await settle()
    await renderDialog(fixture).see((text) => text.includes('ada@example.com'))
    expect(fixture.screen()).toBe('UPDATE_EMAIL_SCREEN')
    await submitEmail(fixture, 'ada@new.example')
    await renderDialog(fixture).type('Digit 1 of 6', '123456')
    expect(fixture.transport.calls('sendEmailCode')[0]?.body).toEqual({ email: 'ada@new.example' })
    expect(fixture.transport.calls('updateEmail')[0]?.body).toEqual({
      oldAddress: 'ada@example.com',
      newAddress: 'ada@new.example',
      code: '123456',
    })
    expect(changed.value).toMatchObject({ user: { email: { address: 'ada@new.example' } } })
  })

  // spec L5.19
  test('needs one to change', async () => {
    const fixture = await open([phone])
    await expect(fixture.updateEmail()).rejects.toMatchObject({ code: 'linked_account_not_found' })
    expect(fixture.frame).toEqual([])
  })
})

// spec L1.13
test('inputs that the host hides on LANDING are shown where an account is linked or changed', async () => {
  const open = async (linked: typeof email | typeof phone) => {
    const user = withAccounts(linked)
    const config = { appearance: { hideDirectWeb2Inputs: true } }
    const fixture = await makeFixture({ answers: { me: () => user }, app, config })
    const login = watch(fixture.login())
    await settle()
    const page = renderDialog(fixture)
    await page.see('Continue with SMS')
    const hidden = [page.hasButton('Continue with e-mail'), page.value('E-mail'), page.value('Phone number')]
    expect(hidden).toEqual([true, undefined, undefined])
    await fixture.close()
    await fixture.clock.advance(200)
    expect(login.settled).toBe(true)
    fixture.session.accept(makeAuthAnswer({ user }))
    await settle()
    return { fixture, page }
  }
  const { fixture, page } = await open(email)
  void fixture.link('sms').catch(() => {})
  await settle()
  await page.see('Link your phone number')
  expect(page.value('Phone number')).toBe('')
  const other = await open(phone)
  void other.fixture.link('email').catch(() => {})
  await settle()
  await other.page.see('Link your e-mail address')
  expect(other.page.value('E-mail')).toBe('')
})

describe('a logout', () => {
  const logout = () => ({ success: true }) as const
  const kinds: readonly (readonly [
    string,
    (typeof email | typeof phone)[],
    (fixture: Fixture) => Promise<unknown>,
  ])[] = [
    ['a link', [email], (fixture) => fixture.link('sms')],
    ['a change of the e-mail address', [email], (fixture) => fixture.updateEmail()],
    ['an unlinking', [email, phone], (fixture) => fixture.unlink('sms', phone.phoneNumber)],
  ]

  test.each(kinds)('ends %s that is shown', async (_name, accounts, begin) => {
    const fixture = await open(accounts, { logout })
    const begun = watch(begin(fixture))
    await settle()
    expect(begun.settled).toBe(false)
    await fixture.session.logout()
    await settle()
    expect(begun.error).toMatchObject({ code: 'must_be_authenticated' })
    await fixture.clock.advance(200)
    expect(fixture.frame).toEqual(['show', 'hide'])
  })

  test('ends a link that awaits its code, so that the account is not linked to the next user', async () => {
    const fixture = await open([email], {
      logout,
      sendSmsCode: () => ({ success: true }),
      linkPhone: () => withAccounts(email, phone),
    })
    const linked = watch(fixture.link('sms'))
    await settle()
    expect(fixture.screen()).toBe('LINK_PHONE_SCREEN')
    await submitPhone(fixture, number)
    expect(fixture.screen()).toBe('AWAITING_PASSWORDLESS_CODE')
    await fixture.session.logout()
    fixture.session.accept(makeAuthAnswer({ user: { ...withAccounts(email), id: 'did:latchkey:another' } }))
    await renderDialog(fixture)
      .type('Digit 1 of 6', '123456')
      .catch(() => {})
    expect(linked.error).toMatchObject({ code: 'must_be_authenticated' })
    expect(fixture.transport.calls('linkPhone')).toEqual([])
  })
})

describe('unlinking', () => {
  test('unlinks at the server after the user confirms', async () => {
    const fixture = await open([email, phone], { unlinkPhone: () => withAccounts(email) })
    const unlinked = watch(fixture.unlink('sms', phone.phoneNumber))
    await settle()
    const page = renderDialog(fixture)
    await page.see('Unlink your phone number?')
    await page.see('+1 2025550123')
    expect(fixture.transport.calls('unlinkPhone')).toEqual([])
    await page.press('Unlink')
    expect(fixture.transport.calls('unlinkPhone')[0]?.body).toEqual({ phoneNumber: '+1 2025550123' })
    expect(unlinked.value).toMatchObject({ user: { linkedAccounts: [email] } })
    expect(fixture.session.state()).toMatchObject({ user: { linkedAccounts: [email] } })
    await fixture.clock.advance(200)
    expect(fixture.frame).toEqual(['show', 'hide'])
  })

  test.each([
    ['an address', 'email', ' ADA@Example.com', 'ada@example.com'],
    ['a number', 'sms', '+12025550123', '+1 2025550123'],
  ] as const)('finds %s in any notation of the host', async (_what, method, written, name) => {
    const fixture = await open([email, phone])
    void fixture.unlink(method, written).catch(() => {})
    await settle()
    await renderDialog(fixture).see(name)
  })

  test('keeps the account if the user cancels', async () => {
    const fixture = await open([email, phone])
    const unlinked = watch(fixture.unlink('email', email.address))
    await settle()
    await renderDialog(fixture).press('Keep it')
    expect(unlinked.error).toMatchObject({ code: 'exited_link_flow' })
    expect(fixture.transport.calls('unlinkEmail')).toEqual([])
  })

  test('explains why the last account stays, and rejects when the user leaves', async () => {
    const fixture = await open([email], {
      unlinkEmail: () => {
        throw refused('cannot_unlink_sole_account', 400)
      },
    })
    const unlinked = watch(fixture.unlink('email', email.address))
    await settle()
    const page = renderDialog(fixture)
    await page.press('Unlink')
    await page.see(/^This is the only way to log in to your account/)
    expect(page.hasButton('Unlink')).toBe(true)
    await fixture.close()
    expect(unlinked.error).toMatchObject({ code: 'cannot_unlink_sole_account' })
  })

  test('can be retried once, and reports the last failure while it runs', async () => {
    const second = Promise.withResolvers<UserRecord>()
    let tries = 0
    const fixture = await open([email, phone], {
      unlinkEmail() {
        tries += 1
        if (tries === 1) throw refused('internal_error', 500)
        return second.promise
      },
    })
    const unlinked = watch(fixture.unlink('email', email.address))
    const page = renderDialog(fixture)
    await page.press('Unlink')
    await page.see('It could not be unlinked. Please try again.')
    await page.press('Unlink')
    await page.see('Unlinking')
    await page.press('Unlinking')
    expect(fixture.transport.calls('unlinkEmail')).toHaveLength(2)
    await fixture.close()
    expect(unlinked.error).toMatchObject({ code: 'internal_error' })
  })

  test('rejects an account that the user does not have, without a card', async () => {
    const fixture = await open([email])
    await expect(fixture.unlink('email', 'eve@example.com')).rejects.toMatchObject({
      code: 'linked_account_not_found',
    })
    expect(fixture.frame).toEqual([])
  })
})
