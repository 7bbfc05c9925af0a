import { LatchkeyError, type MfaMethodType } from '@latchkey/protocol'
import type { AttestationOptions } from '@latchkey/protocol/api'
import { describe, expect, test } from 'vitest'
import { settle } from '../../testing/clock.ts'
import { type Answers, watch } from '../../testing/fixture.ts'
import { visitorUser, walletUser } from '../../testing/fixtures.ts'
import { readCard } from '../../testing/read-screen.ts'
import { makeApprovingPage, makeConfirmPage } from '../../testing/wallet-windows/confirm-page.ts'
import { emptyPhone, parseInput } from '../../ui/fields/phone/phone-value.ts'
import { FrameRefused } from '../../webauthn/authenticator.ts'
import {
  attestation,
  type MfaFixtureOptions,
  makeMfaFixture,
  missing,
  passkeyAccount,
  phoneAccount,
  userWith,
  withAccounts,
} from './testing.ts'
import { english } from './texts.arb'

const FLOW = 'MFA_ENROLLMENT_FLOW_SCREEN'
const CODE = 'MFA_ENROLLMENT_CODE_SCREEN'
const ADDED = 'MFA_ADDED_SCREEN'
const REMOVAL = 'MFA_REMOVAL_SCREEN'
const VERIFY = 'MFA_VERIFY_CODE_SCREEN'

const totp = { secret: 'JBSWY3DPEHPK3PXP', authUrl: 'otpauth://totp/Demo:ada?secret=JBSWY3DPEHPK3PXP' }
const wrong = () => new LatchkeyError('invalid_credentials', 'A wrong code')
const phone = parseInput(emptyPhone('US'), '2025550123')

/** A frame that adds and removes what it is asked to, with the code 123456. */
const adding =
  (...before: readonly MfaMethodType[]) =>
  (event: string, { method, code }: Readonly<Record<string, unknown>>) => {
    if (code !== undefined && code !== '123456') throw wrong()
    switch (event) {
      case 'mfa:init-enrollment':
        return method === 'totp' ? { method, ...totp } : { method }
      case 'mfa:submit-enrollment':
        return { user: userWith(...before, method as MfaMethodType) }
      default:
        return { user: userWith(...before.filter((each) => each !== method)) }
    }
  }

async function opened(options: MfaFixtureOptions = {}) {
  const fixture = await makeMfaFixture({ serve: adding(), ...options })
  const shown = watch(fixture.show())
  await settle()
  return { ...fixture, shown }
}

async function atChoice(options: MfaFixtureOptions = {}) {
  const fixture = await opened(options)
  await fixture.press(FLOW, 'go')
  return fixture
}
const statuses = (state: unknown) =>
  (state as { methods: { method: string; status: string }[] }).methods.map(
    ({ method, status }) => `${method} ${status}`,
  )

describe('the methods of verification', () => {
  // spec L2.58
  test('begin with the intro, and then stand in their order', async () => {
    const { state, press, back } = await opened()
    expect(state(FLOW)).toEqual({ step: 'intro' })
    await press(FLOW, 'go')
    expect(statuses(state(FLOW))).toEqual(['totp recommended', 'sms offered', 'passkey offered'])
    await back()
    expect(state(FLOW)).toEqual({ step: 'intro' })
  })

  test('begin at once for who has one, whom nobody needs to tell what they are for', async () => {
    const made = await opened({ user: userWith('totp') })
    expect(readCard(made).slice(0, 2)).toEqual(choice)
    expect(statuses(made.state(FLOW))).toEqual(['totp added', 'sms offered', 'passkey offered'])
    await made.close()
    expect(made.shown.settled).toBe(true)
  })

  const choice = ['Choose a verification method', 'You can add several, and choose one each time.']
  const verifiedFirst = 'To add or delete verification methods, verification is required.'

  // spec L2.59
  test("read 'Added', each with a button that leads to its removal", async () => {
    const fixture = await atChoice({ user: userWith('totp', 'sms', 'passkey') })
    expect(readCard(fixture)).toEqual([
      ...[...choice, verifiedFirst],
      ...['Authenticator App', 'Added', 'Remove'],
      ...['SMS', 'Added', 'Remove'],
      ...['Passkey', 'Added', 'Remove'],
    ])
    for (const method of ['totp', 'sms', 'passkey'] as const) {
      await fixture.press(FLOW, 'remove', method)
      expect(fixture.state(REMOVAL)).toMatchObject({ method, status: 'review' })
      await fixture.press(REMOVAL, 'keep')
    }
  })

  // spec L2.60
  test("read 'Disabled' of SMS for a user whose login uses it, and for no other", async () => {
    const apps = [...choice, 'Authenticator App', 'Recommended', 'SMS']
    const why = 'You log in with SMS, so it cannot be your second way.'
    const byPhone = await atChoice({ user: withAccounts(walletUser, phoneAccount) })
    expect(readCard(byPhone)).toEqual([...apps, why, 'Disabled', 'Passkey'])
    expect(readCard(await atChoice())).toEqual([...apps, 'Passkey'])
  })

  // spec L6.5
  test('say what is added, and that a change is verified; SMS is not for who logs in by it', async () => {
    const user = withAccounts(userWith('totp'), phoneAccount)
    const { state, press, screen, calls } = await atChoice({ user })
    expect(statuses(state(FLOW))).toEqual(['totp added', 'sms disabled', 'passkey offered'])
    expect(state(FLOW)).toMatchObject({ isVerified: true })
    // spec L6.7
    await press(FLOW, 'choose', 'sms')
    expect(screen()).toBe(FLOW)
    expect(calls).toEqual([])
  })

  test('are those of the app that the host offers, and those that were added', async () => {
    const fixture = await atChoice({
      user: userWith('sms'),
      methods: ['totp', 'passkey'],
      config: { mfa: { methods: ['passkey', 'sms'] } },
    })
    expect(statuses(fixture.state(FLOW))).toEqual(['sms added', 'passkey offered'])
  })

  test('are not shown where the app has none, nor to a visitor', async () => {
    const { shown, frame } = await opened({ methods: [] })
    expect(shown.error).toMatchObject({ code: 'not_supported' })
    expect(frame).toEqual([])
    const fixture = await makeMfaFixture()
    await fixture.session.logout()
    await expect(fixture.show()).rejects.toMatchObject({ code: 'must_be_authenticated' })
  })

  test('end with the user as they are when they are closed, or left', async () => {
    const closed = await opened()
    await closed.close()
    expect(closed.shown.value).toMatchObject({ user: { id: visitorUser.id } })
    const left = await opened()
    await left.press(FLOW, 'leave')
    expect(left.shown.value).toMatchObject({ user: { id: visitorUser.id } })
    expect(left.view()?.open).toBe(false)
  })

  test('end where the user is logged out elsewhere', async () => {
    const { shown, session } = await opened()
    await session.logout()
    await settle()
    expect(shown.error).toMatchObject({ code: 'must_be_authenticated' })
  })
})

describe('an authenticator app', () => {
  // spec L1.10, L2.63, L2.64, L3.27, L4.40, L6.6, L7.42
  test('is shown its secret, gives a code, and is added', async () => {
    const fixture = await atChoice()
    const { state, press, calls, shown, operations } = fixture
    await press(FLOW, 'choose', 'totp')
    expect(state('MFA_TOTP_SCREEN')).toMatchObject(totp)
    expect(readCard(fixture)).toEqual([
      'Step 1 of 2',
      'Scan QR code',
      'Scan it with your authenticator app, or copy the key into the app.',
      ...['Key', 'JBSW Y3DP EHPK 3PXP', 'Copy the key'],
      'Continue',
    ])
    await press('MFA_TOTP_SCREEN', 'go')
    expect(state(CODE)).toMatchObject({ method: 'totp', passcode: { status: 'ready', resend: 'none' } })
    expect(readCard(fixture)[0]).toBe('Step 2 of 2')
    await press(CODE, 'submit', '123456')
    expect(state(ADDED)).toEqual({ method: 'totp', hasMore: true })
    expect(calls).toEqual([
      { event: 'mfa:init-enrollment', operation: 'op-1', data: { method: 'totp' } },
      { event: 'mfa:submit-enrollment', operation: 'op-1', data: { method: 'totp', code: '123456' } },
    ])
    expect(operations.ended).toEqual(['op-1'])
    await press(ADDED, 'done')
    expect(shown.value).toMatchObject({ user: { mfaMethods: ['totp'] } })
  })

  test('has the same secret when the user goes back to it', async () => {
    const { state, press, calls, back } = await atChoice()
    await press(FLOW, 'choose', 'totp')
    await press('MFA_TOTP_SCREEN', 'go')
    await back()
    expect(state('MFA_TOTP_SCREEN')).toMatchObject(totp)
    expect(calls).toHaveLength(1)
    await press('MFA_TOTP_SCREEN', 'go')
    await press(CODE, 'submit', '123456')
    expect(state(ADDED).method).toBe('totp')
  })

  // spec L8.46
  test.each([
    ['a wrong code', wrong(), 'The code you entered is not valid'],
    ['anything else', new LatchkeyError('error', 'Broken'), 'Unknown error'],
  ])('says what %s is, and takes another', async (_name, error, sentence) => {
    let isFirst = true
    const fixture = await atChoice({
      serve(event, data) {
        if (event === 'mfa:submit-enrollment' && isFirst) {
          isFirst = false
          throw error
        }
        return adding()(event, data)
      },
    })
    const { state, press, clock } = fixture
    await press(FLOW, 'choose', 'totp')
    await press('MFA_TOTP_SCREEN', 'go')
    await press(CODE, 'submit', '123456')
    expect(state(CODE).passcode).toMatchObject({ status: 'wrong' })
    expect(readCard(fixture)).toContain(sentence)
    await clock.advance(1_400)
    await press(CODE, 'submit', '123456')
    expect(state(ADDED).method).toBe('totp')
  })

  test('says on the choice where it can not begin', async () => {
    const { state, press } = await atChoice({
      serve() {
        throw new LatchkeyError('error', 'Broken')
      },
    })
    await press(FLOW, 'choose', 'totp')
    expect(state(FLOW)).toMatchObject({ problem: 'unknown', opening: undefined })
  })
})

describe('a phone', () => {
  // spec L2.62, L4.40, L7.41
  test('is sent a code, and is added with it', async () => {
    const { state, press, calls } = await atChoice()
    await press(FLOW, 'choose', 'sms')
    await press('MFA_SMS_SCREEN', 'submit', phone)
    expect(state(CODE)).toMatchObject({ method: 'sms', phoneNumber: '+1 2025550123' })
    await press(CODE, 'submit', '123456')
    expect(state(ADDED)).toEqual({ method: 'sms', hasMore: true })
    expect(calls.map(({ data }) => data)).toEqual([
      { method: 'sms', phoneNumber: '+1 2025550123' },
      { method: 'sms', phoneNumber: '+1 2025550123', code: '123456' },
    ])
  })

  // spec L1.16
  test.each([
    [{ intl: { defaultCountry: 'FR' } }, 'France (+33)'],
    [{}, 'United States (+1)'],
  ])('begins with the country of a host of %j', async (config, country) => {
    const fixture = await atChoice({ config })
    await fixture.press(FLOW, 'choose', 'sms')
    expect(readCard(fixture).at(-1)).toBe(country)
  })

  test('is sent another after 30 s', async () => {
    const { state, press, clock, transport } = await atChoice()
    await press(FLOW, 'choose', 'sms')
    await press('MFA_SMS_SCREEN', 'submit', phone)
    expect(state(CODE).passcode.resend).toBe('locked')
    await clock.advance(30_000)
    await press(CODE, 'resend')
    expect(transport.calls('sendMfaCode').map(({ body }) => body)).toEqual([
      { action: 'enroll', phoneNumber: '+1 2025550123' },
    ])
  })

  test('that no code can be sent to stays to be mended', async () => {
    const { state, press } = await atChoice({
      serve() {
        throw new LatchkeyError('twilio_verification_failed', 'No such number')
      },
    })
    await press(FLOW, 'choose', 'sms')
    await press('MFA_SMS_SCREEN', 'submit', phone)
    expect(state('MFA_SMS_SCREEN')).toMatchObject({ status: 'ready', given: phone, problem: 'unknown' })
  })
})

const linkOptions: AttestationOptions = {
  rp: { name: 'Demo', id: 'dialog.localhost' },
  user: { id: 'dXNlcg', name: 'ada', displayName: 'ada' },
  challenge: 'bGluaw',
  pubKeyCredParams: [{ alg: -7, type: 'public-key' }],
}
const linking = {
  beginPasskeyLink: () => ({ relyingParty: 'dialog.localhost', options: linkOptions }),
  linkPasskey: () => withAccounts(walletUser, passkeyAccount('bmV3')),
}

describe('passkeys', () => {
  // spec L2.65, L2.66, L4.41, L7.43
  test('are made where there is none, and verify then', async () => {
    const { state, press, device, calls } = await atChoice({ answers: linking })
    await press(FLOW, 'choose', 'passkey')
    expect(state('MFA_PASSKEY_SCREEN')).toMatchObject({ passkeys: [], hasRoom: true, status: 'review' })
    await press('MFA_PASSKEY_SCREEN', 'add')
    await device.approve()
    expect(calls.map(({ event, data }) => ({ event, ...data }))).toEqual([
      { event: 'mfa:submit-enrollment', method: 'passkey', credentialIds: ['bmV3'] },
    ])
    expect(state(ADDED).method).toBe('passkey')
    expect(english.added.titles.passkey).toBe('Passkey verification added')
  })

  test('are made in a window of its own where the browser lets no frame ask', async () => {
    const answers: Answers = {
      ...linking,
      beginPasskeyWindow: () => ({}),
      passkeyWindowStatus: () => ({ status: 'answered' }),
      takePasskeyAnswer: () => ({ type: 'create', attestation }),
    }
    const { state, press, device, clock, calls, transport } = await atChoice({ answers })
    await press(FLOW, 'choose', 'passkey')
    await press('MFA_PASSKEY_SCREEN', 'add')
    await device.refuse(new FrameRefused())
    await clock.advance(0)
    await press('PASSKEY_WINDOW_SCREEN', 'open')
    expect(transport.calls('beginPasskeyWindow')).toMatchObject([
      { body: { ceremony: { type: 'create', options: linkOptions } } },
    ])
    expect(calls.map(({ event, data }) => ({ event, ...data }))).toEqual([
      { event: 'mfa:submit-enrollment', method: 'passkey', credentialIds: ['bmV3'] },
    ])
    expect(state(ADDED).method).toBe('passkey')
  })

  // spec L4.42
  test('that there are are listed, and verify once the user has approved it', async () => {
    const user = withAccounts(walletUser, passkeyAccount('b25l'), passkeyAccount('dHdv'))
    const { state, press, approve, calls } = await atChoice({ user })
    await press(FLOW, 'choose', 'passkey')
    expect(state('MFA_PASSKEY_SCREEN').passkeys.map(({ id }) => id)).toEqual(['b25l', 'dHdv'])
    await press('MFA_PASSKEY_SCREEN', 'notice', { type: 'press', atMs: 0 })
    expect(calls).toEqual([])
    await approve('MFA_PASSKEY_SCREEN')
    expect(calls[0]?.data).toEqual({ method: 'passkey', credentialIds: ['b25l', 'dHdv'] })
    expect(state(ADDED).method).toBe('passkey')
  })

  test('that are five have no room for another', async () => {
    const five = ['YQ', 'Yg', 'Yw', 'ZA', 'ZQ'].map(passkeyAccount)
    const { state, press } = await atChoice({ user: withAccounts(walletUser, ...five) })
    await press(FLOW, 'choose', 'passkey')
    expect(state('MFA_PASSKEY_SCREEN')).toMatchObject({ hasRoom: false })
  })

  test('that the device makes none of can be tried again', async () => {
    const { state, press, device } = await atChoice({ answers: linking })
    await press(FLOW, 'choose', 'passkey')
    await press('MFA_PASSKEY_SCREEN', 'add')
    await device.refuse()
    expect(state('MFA_PASSKEY_SCREEN')).toMatchObject({ status: 'review', problem: 'passkeyNotAllowed' })
    await press('MFA_PASSKEY_SCREEN', 'add')
    await device.approve()
    expect(state(ADDED).method).toBe('passkey')
  })
})

describe('a user who has a method', () => {
  const codes = (event: string, data: Readonly<Record<string, unknown>>) => {
    if (data.mfaCode === undefined && event === 'mfa:init-enrollment') throw missing()
    return adding('totp')(event, data)
  }

  // spec L6.5
  test('is verified before another is added, and goes on with it', async () => {
    const { press, screen, calls } = await atChoice({ user: userWith('totp'), serve: codes })
    await press(FLOW, 'choose', 'sms')
    await press('MFA_SMS_SCREEN', 'submit', phone)
    expect(screen()).toBe(VERIFY)
    await press(VERIFY, 'submit', '123456')
    expect(screen()).toBe(CODE)
    await press(CODE, 'submit', '123456')
    expect(screen()).toBe(ADDED)
    expect(calls.map(({ operation }) => operation)).toEqual(['op-1', 'op-1', 'op-1'])
  })

  // spec L8.45
  test('who cancels that stays where they were', async () => {
    const { press, state } = await atChoice({
      user: userWith('sms'),
      serve: codes,
    })
    await press(FLOW, 'choose', 'totp')
    await press(VERIFY, 'notNow')
    expect(state(FLOW)).toMatchObject({ problem: 'canceled' })
  })

  // spec L2.61, L7.44
  test.each([
    ['totp', { event: 'mfa:unenroll', method: 'totp' }],
    ['sms', { event: 'mfa:unenroll', method: 'sms' }],
    ['passkey', { event: 'mfa:submit-enrollment', method: 'passkey', credentialIds: [] }],
  ] as const)('removes %s when they have approved it and are verified', async (method, asked) => {
    const { press, state, calls, screen } = await atChoice({
      ...makeApprovingPage(),
      user: userWith(...new Set(['totp', method] as const)),
      serve(_event, data) {
        if (data.mfaCode === undefined) throw missing()
        return { user: method === 'totp' ? userWith() : userWith('totp') }
      },
    })
    await press(FLOW, 'remove', method)
    expect(state(REMOVAL)).toMatchObject({ method, status: 'review' })
    await press(REMOVAL, 'notice', { type: 'press', atMs: 0 })
    expect(calls).toEqual([])
    await press(REMOVAL, 'pageOpened', 'open')
    for (let turn = 0; turn < 20; turn += 1) await settle()
    expect(screen()).toBe(VERIFY)
    await press(VERIFY, 'submit', '123456')
    const { event, data } = calls.at(-1) ?? {}
    expect({ event, ...data }).toMatchObject({ ...asked, mfaCode: '123456' })
    expect(statuses(state(FLOW))).not.toContain(`${method} added`)
  })

  test('keeps it where they do not', async () => {
    const { press, state } = await atChoice({ ...makeApprovingPage(), user: userWith('totp') })
    await press(FLOW, 'remove', 'totp')
    expect(state(REMOVAL)).toMatchObject({ isLast: true })
    await press(REMOVAL, 'pageOpened', 'open')
    for (let turn = 0; turn < 20; turn += 1) await settle()
    await press(VERIFY, 'notNow')
    expect(state(REMOVAL)).toMatchObject({ status: 'review', problem: 'canceled' })
    await press(REMOVAL, 'keep')
    expect(statuses(state(FLOW))).toContain('totp added')
  })

  describe('on the page', () => {
    async function onPage(method: MfaMethodType) {
      const page = makeConfirmPage()
      const made = await atChoice({ user: userWith(method), serve: adding(method), ...page })
      await made.press(FLOW, 'remove', method)
      await settle()
      expect(made.state(REMOVAL)).toMatchObject({
        status: 'review',
        approval: { by: 'page', reason: 'browser', way: { at: 'ready' } },
      })
      await made.press(REMOVAL, 'pageOpened', 'open')
      await settle()
      return { ...made, page }
    }
    const decided = async ({ clock }: Awaited<ReturnType<typeof onPage>>) => {
      await clock.advance(1_000)
      for (let turn = 0; turn < 10; turn += 1) await settle()
    }

    test('they remove it by the page, and by nothing else', async () => {
      const made = await onPage('totp')
      expect(made.state(REMOVAL)).toMatchObject({ approval: { way: { at: 'opened' } } })
      expect(made.calls).toEqual([])
      made.page.decide('approved')
      await decided(made)
      expect(made.screen()).toBe(VERIFY)
      await made.press(VERIFY, 'submit', '123456')
      expect(made.calls.at(-1)).toMatchObject({ event: 'mfa:unenroll', data: { mfaCode: '123456' } })
      expect(made.confirmations).toEqual(['h'.repeat(43)])
      expect(statuses(made.state(FLOW))).not.toContain('totp added')
    })

    test('a refusal on the page keeps it', async () => {
      const made = await onPage('totp')
      made.page.decide('refused')
      await decided(made)
      expect(made.calls).toEqual([])
      expect(statuses(made.state(FLOW))).toContain('totp added')
    })

    test('what nobody decided is said, and asked anew when they want that', async () => {
      const made = await onPage('totp')
      made.page.decide('expired')
      await decided(made)
      expect(made.state(REMOVAL)).toMatchObject({ status: 'stopped' })
      await made.press(REMOVAL, 'again')
      expect(made.state(REMOVAL)).toMatchObject({ status: 'review' })
      expect(made.calls).toEqual([])
    })
  })
})

describe('a host', () => {
  test('opens one method, or the removal of one', async () => {
    const fixture = await makeMfaFixture({ serve: adding() })
    const enrolling = watch(fixture.more('enrollMfa', { method: 'totp' }))
    await settle()
    expect(fixture.screen()).toBe('MFA_TOTP_SCREEN')
    await fixture.more('closeMfaEnrollment', {})
    expect(enrolling.value).toMatchObject({ user: { mfaMethods: [] } })
    const other = await makeMfaFixture({ user: userWith('sms') })
    void other.more('unenrollMfa', { method: 'sms' }).catch(() => {})
    await settle()
    expect(other.state(REMOVAL)).toMatchObject({ method: 'sms', status: 'review' })
  })

  // spec L7.43
  test('opens the enrolment of passkeys, which ends with the ids of the credentials', async () => {
    const user = withAccounts(walletUser, passkeyAccount('b25l'), passkeyAccount('dHdv'))
    const fixture = await makeMfaFixture({ user, serve: adding(), ...makeApprovingPage() })
    const enrolling = watch(fixture.more('enrollMfa', { method: 'passkey' }))
    await settle()
    expect(fixture.state('MFA_PASSKEY_SCREEN').passkeys.map(({ id }) => id)).toEqual(['b25l', 'dHdv'])
    expect(fixture.calls).toEqual([])
    await fixture.approve('MFA_PASSKEY_SCREEN')
    expect(fixture.calls.map(({ event, data }) => ({ event, ...data }))).toEqual([
      { event: 'mfa:submit-enrollment', method: 'passkey', credentialIds: ['b25l', 'dHdv'] },
    ])
    await fixture.press(ADDED, 'done')
    expect(enrolling.value).toMatchObject({ user: { mfaMethods: ['passkey'] } })
  })

  test('opens none that there is not', async () => {
    const fixture = await makeMfaFixture({ user: userWith('totp'), methods: ['totp'] })
    for (const asked of [
      fixture.more('enrollMfa', { method: 'totp' }),
      fixture.more('enrollMfa', { method: 'sms' }),
      fixture.more('unenrollMfa', { method: 'sms' }),
    ]) {
      await expect(asked).rejects.toMatchObject({ code: 'not_supported' })
    }
    expect(fixture.frame).toEqual([])
  })

  test('hears no secret of what it opened', async () => {
    const fixture = await makeMfaFixture({ serve: adding() })
    const enrolling = watch(fixture.more('enrollMfa', { method: 'totp' }))
    await settle()
    await fixture.press('MFA_TOTP_SCREEN', 'go')
    await fixture.press(CODE, 'submit', '123456')
    await fixture.press(ADDED, 'done')
    expect(JSON.stringify([enrolling.value, fixture.pageHeard])).not.toContain(totp.secret)
    expect(enrolling.value).toMatchObject({ user: { mfaMethods: ['totp'] } })
  })
})
