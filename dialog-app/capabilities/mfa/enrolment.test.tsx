import { LatchkeyError, type MfaMethodType } from '@latchkey/protocol'
import type { AttestationOptions } from '@latchkey/protocol/api'
import { beforeAll, describe, expect, test } from 'vitest'
import { settle } from '../../testing/clock.ts'
import { type Answers, watch } from '../../testing/fixture.ts'
import { visitorUser, walletUser } from '../../testing/fixtures.ts'
import { renderDialog } from '../../testing/page.tsx'
import {
  loadDecision,
  makeApprovingPage,
  makeConfirmPage,
} from '../../testing/wallet-windows/confirm-page.ts'
import { FrameRefused } from '../../webauthn/authenticator.ts'
import { attestation } from '../../webauthn/testing.ts'
import {
  type MfaFixtureOptions,
  makeMfaFixture,
  missing,
  passkeyAccount,
  phoneAccount,
  userWith,
  withAccounts,
} from './testing.ts'

beforeAll(loadDecision)

const totp = { secret: 'JBSWY3DPEHPK3PXP', authUrl: 'otpauth://totp/Demo:ada?secret=JBSWY3DPEHPK3PXP' }
const wrong = () => new LatchkeyError('invalid_credentials', 'A wrong code')
const number = '+1 2025550123'

/** A frame that adds and removes methods, with the code 123456. */
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

async function render(options: MfaFixtureOptions = {}) {
  const fixture = await makeMfaFixture({ serve: adding(), ...options })
  const page = renderDialog(fixture)
  return {
    ...fixture,
    page,
    /** Returns the texts of the card without its footer. */
    cardTexts: () => page.texts().slice(0, -1),
    typeCode: (code = '123456') => page.type('Digit 1 of 6', code),
    async typeNumber() {
      await page.type('Phone number', '2025550123')
      await page.press('Send code')
    },
  }
}
type Rendered = Awaited<ReturnType<typeof render>>

async function opened(options: MfaFixtureOptions = {}) {
  const rendered = await render(options)
  return { ...rendered, shown: watch(rendered.show()) }
}

const title = 'Choose a verification method'
async function atChoice(options: MfaFixtureOptions = {}) {
  const made = await opened(options)
  const hasMethod = options.user !== undefined && options.user.mfaMethods.length > 0
  if (!hasMethod) await made.page.press('Continue')
  await made.page.see(title)
  return made
}

const choice = ['Choose a verification method', 'You can add several, and choose one each time.']
const verifiedFirst = 'To add or delete verification methods, verification is required.'

describe('the verification methods', () => {
  // spec L2.58
  test('open with the intro, and then list the methods in their order', async () => {
    const { page, cardTexts } = await opened()
    await page.see('Transaction Protection')
    await page.press('Continue')
    await page.see(title)
    expect(cardTexts()).toEqual([...choice, 'Authenticator App', 'Recommended', 'SMS', 'Passkey'])
    await page.press('Back')
    await page.see('Transaction Protection')
  })

  test('open with the list instead of the intro if the user has a method', async () => {
    const { page, cardTexts, shown } = await opened({ user: userWith('totp') })
    await page.see(title)
    expect(cardTexts()).toEqual([
      ...choice,
      verifiedFirst,
      ...['Authenticator App', 'Added', 'Remove', 'SMS', 'Passkey'],
    ])
    await page.press('Close')
    expect(shown.settled).toBe(true)
  })

  // spec L2.59
  test("read 'Added', each with a button that leads to its removal", async () => {
    const { page, cardTexts } = await atChoice({ user: userWith('totp', 'sms', 'passkey') })
    expect(cardTexts()).toEqual([
      ...[...choice, verifiedFirst],
      ...['Authenticator App', 'Added', 'Remove'],
      ...['SMS', 'Added', 'Remove'],
      ...['Passkey', 'Added', 'Remove'],
    ])
    for (const [button, question] of [
      ['Remove Authenticator App', 'Remove authenticator app verification?'],
      ['Remove SMS', 'Remove SMS verification?'],
      ['Remove Passkey', 'Remove passkey verification?'],
    ] as const) {
      await page.press(button)
      await page.see(question)
      await page.press('Keep')
    }
  })

  // spec L2.60
  test("show SMS as 'Disabled' only if the user logs in by SMS", async () => {
    const apps = [...choice, 'Authenticator App', 'Recommended', 'SMS']
    const why = 'You log in with SMS, so it cannot be your second way.'
    const byPhone = await atChoice({ user: withAccounts(walletUser, phoneAccount) })
    expect(byPhone.cardTexts()).toEqual([...apps, why, 'Disabled', 'Passkey'])
    expect((await atChoice()).cardTexts()).toEqual([...apps, 'Passkey'])
  })

  // spec L6.5, L6.7
  test('do not offer SMS to a user with a login by SMS', async () => {
    const { page } = await atChoice({ user: withAccounts(userWith('totp'), phoneAccount) })
    expect(page.texts()).toContain(verifiedFirst)
    expect(page.texts()).toContain('Disabled')
    expect(page.hasButton(/SMS/)).toBe(false)
  })

  test('are those of the app that the host offers, and those that the user has', async () => {
    const { cardTexts } = await atChoice({
      user: userWith('sms'),
      methods: ['totp', 'passkey'],
      config: { mfa: { methods: ['passkey', 'sms'] } },
    })
    expect(cardTexts().slice(3)).toEqual(['SMS', 'Added', 'Remove', 'Passkey'])
  })

  test('do not open in an app without any, nor for a visitor', async () => {
    const { shown, frame } = await opened({ methods: [] })
    await settle()
    expect(shown.error).toMatchObject({ code: 'not_supported' })
    expect(frame).toEqual([])
    const fixture = await makeMfaFixture()
    await fixture.session.logout()
    await expect(fixture.show()).rejects.toMatchObject({ code: 'must_be_authenticated' })
  })

  test('resolve with the user when they are closed, or left', async () => {
    const closed = await opened()
    await closed.page.press('Close')
    expect(closed.shown.value).toMatchObject({ user: { id: visitorUser.id } })
    const left = await opened()
    await left.page.press('Not now')
    expect(left.shown.value).toMatchObject({ user: { id: visitorUser.id } })
    expect(left.view()?.open).toBe(false)
  })

  test('end when the user logs out elsewhere', async () => {
    const { page, shown, session } = await opened()
    await page.see('Transaction Protection')
    await session.logout()
    await settle()
    expect(shown.error).toMatchObject({ code: 'must_be_authenticated' })
  })
})

describe('an authenticator app', () => {
  // spec L1.10, L2.63, L2.64, L3.27, L4.40, L6.6, L7.42
  test('shows its secret, takes a code, and is added', async () => {
    const { page, cardTexts, typeCode, calls, shown, operations } = await atChoice()
    await page.press(/Authenticator App/)
    await page.see('Scan QR code')
    expect(cardTexts()).toEqual([
      'Step 1 of 2',
      'Scan QR code',
      'Scan it with your authenticator app, or copy the key into the app.',
      // The initial of the app stands in the QR code.
      'D',
      ...['Key', 'JBSW Y3DP EHPK 3PXP', 'Copy the key'],
      'Continue',
    ])
    await page.press('Continue')
    await page.see('Enter enrollment code')
    expect(page.texts()[0]).toBe('Step 2 of 2')
    expect(page.hasButton('Resend code')).toBe(false)
    await typeCode()
    await page.see('Authenticator app verification added')
    expect(calls).toEqual([
      { event: 'mfa:init-enrollment', operation: 'op-1', data: { method: 'totp' } },
      { event: 'mfa:submit-enrollment', operation: 'op-1', data: { method: 'totp', code: '123456' } },
    ])
    expect(operations.ended).toEqual(['op-1'])
    expect(page.hasButton('Back')).toBe(false)
    await page.press('Done')
    expect(shown.value).toMatchObject({ user: { mfaMethods: ['totp'] } })
  })

  test('leads to another method, in an operation of its own', async () => {
    const { page, typeCode, typeNumber, calls, shown, operations } = await atChoice({ serve: adding('totp') })
    await page.press(/Authenticator App/)
    await page.press('Continue')
    await typeCode()
    await page.press('Add another method')
    await page.see(title)
    expect(page.texts()).toContain('Added')
    await page.press(/SMS/)
    await typeNumber()
    await typeCode()
    await page.see('SMS verification added')
    expect(calls.map(({ operation }) => operation)).toEqual(['op-1', 'op-1', 'op-2', 'op-2'])
    expect(operations.ended).toEqual(['op-1', 'op-2'])
    await page.press('Add another method')
    // The intro is not shown to a user with a method.
    await page.press('Back')
    expect(shown.value).toMatchObject({ user: { mfaMethods: ['totp', 'sms'] } })
  })

  test('has the same secret when the user goes back to it', async () => {
    const { page, typeCode, calls } = await atChoice()
    await page.press(/Authenticator App/)
    await page.press('Continue')
    await page.see('Enter enrollment code')
    await page.press('Back')
    await page.see('JBSW Y3DP EHPK 3PXP')
    expect(calls).toHaveLength(1)
    await page.press('Continue')
    await typeCode()
    await page.see('Authenticator app verification added')
  })

  // spec L8.46
  test.each([
    ['a wrong code', wrong(), 'The code you entered is not valid'],
    ['another error', new LatchkeyError('error', 'Broken'), 'Unknown error'],
  ])('shows the problem after %s, and takes another code', async (_name, error, sentence) => {
    let isFirst = true
    const { page, typeCode, clock } = await atChoice({
      serve(event, data) {
        if (event === 'mfa:submit-enrollment' && isFirst) {
          isFirst = false
          throw error
        }
        return adding()(event, data)
      },
    })
    await page.press(/Authenticator App/)
    await page.press('Continue')
    await typeCode()
    await page.see(sentence)
    await clock.advance(1_400)
    await typeCode()
    await page.see('Authenticator app verification added')
  })

  test('shows on the list that it cannot begin, until another method is chosen', async () => {
    const { page } = await atChoice({
      serve() {
        throw new LatchkeyError('error', 'Broken')
      },
    })
    await page.press(/Authenticator App/)
    await page.see('Unknown error')
    expect(page.has('One moment')).toBe(false)
    await page.press(/SMS/)
    await page.see('Set up SMS verification')
    await page.press('Back')
    await page.see(title)
    expect(page.has('Unknown error')).toBe(false)
  })

  test('opens once, even if it is pressed twice', async () => {
    const begun = Promise.withResolvers<unknown>()
    const { page, calls } = await atChoice({ serve: () => begun.promise })
    await page.press(/Authenticator App/)
    await page.see('One moment')
    await page.press(/Authenticator App/)
    await page.press(/SMS/)
    begun.resolve({ method: 'totp', ...totp })
    await page.see('Scan QR code')
    expect(calls).toHaveLength(1)
  })
})

describe('a phone', () => {
  // spec L2.62, L4.40, L7.41
  test('receives a code, and is added with it', async () => {
    const { page, typeCode, typeNumber, calls } = await atChoice()
    await page.press(/SMS/)
    await typeNumber()
    await page.see(number)
    await typeCode()
    await page.see('SMS verification added')
    expect(calls.map(({ data }) => data)).toEqual([
      { method: 'sms', phoneNumber: number },
      { method: 'sms', phoneNumber: number, code: '123456' },
    ])
  })

  // spec L1.16
  test.each([
    [{ intl: { defaultCountry: 'FR' } }, ['France', '+', '33']],
    [{}, ['United States', '+', '1']],
  ])('starts with the country of a host with %j', async (config, country) => {
    const { page } = await atChoice({ config })
    await page.press(/SMS/)
    await page.see('Set up SMS verification')
    expect(page.texts().slice(3, 6)).toEqual(country)
  })

  test('receives another code after 30 s', async () => {
    const { page, typeNumber, clock, transport } = await atChoice()
    await page.press(/SMS/)
    await typeNumber()
    await page.see('Code sent')
    expect(page.hasButton('Resend code')).toBe(false)
    await clock.advance(30_000)
    await page.press('Resend code')
    expect(transport.calls('sendMfaCode').map(({ body }) => body)).toEqual([
      { action: 'enroll', phoneNumber: number },
    ])
    await page.see('Code sent')
  })

  test.each([
    ['twilio_verification_failed', 'Unknown error'],
    ['not_supported', 'You log in with SMS, so it cannot be your second way.'],
  ] as const)('keeps the number, and shows the problem after %s', async (code, sentence) => {
    const { page, typeNumber } = await atChoice({
      serve() {
        throw new LatchkeyError(code, 'Not sent')
      },
    })
    await page.press(/SMS/)
    await typeNumber()
    await page.see(sentence)
    expect(page.hasButton('Send code')).toBe(true)
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
const twoPasskeys = withAccounts(walletUser, passkeyAccount('b25l'), passkeyAccount('dHdv'))
const submitted = ({ calls }: Pick<Rendered, 'calls'>) => calls.map(({ event, data }) => ({ event, ...data }))
const enabled = (...credentialIds: readonly string[]) => [
  { event: 'mfa:submit-enrollment', method: 'passkey', credentialIds },
]

describe('passkeys', () => {
  // spec L2.65, L2.66, L4.41, L7.43
  test('are created for a user without one, and verify then', async () => {
    const made = await atChoice({ answers: linking })
    await made.page.press(/Passkey/)
    await made.page.press('Add a new passkey')
    await made.device.approve()
    await made.page.see('Passkey verification added')
    expect(submitted(made)).toEqual(enabled('bmV3'))
  })

  test('are created in a window if the browser lets no frame create one', async () => {
    const answers: Answers = {
      ...linking,
      beginPasskeyWindow: () => ({}),
      passkeyWindowStatus: () => ({ status: 'answered' }),
      takePasskeyAnswer: () => ({ type: 'create', attestation }),
    }
    const made = await atChoice({ answers })
    await made.page.press(/Passkey/)
    await made.page.press('Add a new passkey')
    await made.device.refuse(new FrameRefused())
    await made.clock.advance(0)
    await made.page.press('Continue')
    expect(made.transport.calls('beginPasskeyWindow')).toMatchObject([
      { body: { ceremony: { type: 'create', options: linkOptions } } },
    ])
    await made.page.see('Passkey verification added')
    expect(submitted(made)).toEqual(enabled('bmV3'))
  })

  // spec L4.42
  test('are listed, and verify when the user has approved it', async () => {
    const made = await atChoice({ user: twoPasskeys })
    await made.page.press(/Passkey/)
    await made.page.see('Set up passkey verification')
    await made.page.press('Enable your passkeys for verification')
    expect(made.calls).toEqual([])
    await made.page.approve()
    await made.page.see('Passkey verification added')
    expect(submitted(made)).toEqual(enabled('b25l', 'dHdv'))
  })

  test('are approved again after an error', async () => {
    let isReachable = false
    const made = await atChoice({
      user: twoPasskeys,
      serve(event, data) {
        if (!isReachable) throw new LatchkeyError('error', 'Broken')
        return adding()(event, data)
      },
    })
    await made.page.press(/Passkey/)
    await made.page.approve()
    await made.page.see('Unknown error')
    isReachable = true
    await made.page.approve()
    await made.page.see('Passkey verification added')
  })

  test('have no room for a sixth', async () => {
    const five = ['YQ', 'Yg', 'Yw', 'ZA', 'ZQ'].map(passkeyAccount)
    const { page } = await atChoice({ user: withAccounts(walletUser, ...five) })
    await page.press(/Passkey/)
    await page.see('Set up passkey verification')
    expect(page.hasButton('Add a new passkey')).toBe(false)
  })

  test('can be created again after the device refused', async () => {
    const { page, device } = await atChoice({ answers: linking })
    await page.press(/Passkey/)
    await page.press('Add a new passkey')
    await device.refuse()
    await page.see('Passkey request timed out or rejected by user.')
    await page.press('Add a new passkey')
    expect(page.has('Passkey request timed out or rejected by user.')).toBe(false)
    await device.approve()
    await page.see('Passkey verification added')
  })

  test('are not linked after the user left', async () => {
    const { page, device, transport } = await atChoice({ answers: linking })
    await page.press(/Passkey/)
    await page.press('Add a new passkey')
    await page.press('Back')
    await device.approve()
    await page.see(title)
    expect(transport.calls('linkPasskey')).toEqual([])
  })
})

const verify = async ({ page, typeCode }: Rendered) => {
  await page.see('Enter verification code')
  await typeCode()
}
const cancelVerification = ({ page }: Rendered) => page.press('Not now')

describe('a user who has a method', () => {
  const codes = (event: string, data: Readonly<Record<string, unknown>>) => {
    if (data.mfaCode === undefined && event === 'mfa:init-enrollment') throw missing()
    return adding('totp')(event, data)
  }

  // spec L6.5
  test('verifies before another is added, and goes on with it', async () => {
    const made = await atChoice({ user: userWith('totp'), serve: codes })
    await made.page.press(/SMS/)
    await made.typeNumber()
    await verify(made)
    await made.page.see('Enter enrollment code')
    await made.typeCode()
    await made.page.see('SMS verification added')
    expect(made.calls.map(({ operation }) => operation)).toEqual(['op-1', 'op-1', 'op-1'])
  })

  // spec L8.45
  test('stays on the list after they canceled the verification', async () => {
    const made = await atChoice({ user: userWith('sms'), serve: codes })
    await made.page.press(/Authenticator App/)
    await cancelVerification(made)
    await made.page.see('Verification canceled')
    expect(made.page.has(title)).toBe(true)
  })

  // spec L2.61, L7.44
  test.each([
    ['totp', 'Authenticator App', { event: 'mfa:unenroll', method: 'totp' }],
    ['sms', 'SMS', { event: 'mfa:unenroll', method: 'sms' }],
    ['passkey', 'Passkey', { event: 'mfa:submit-enrollment', method: 'passkey', credentialIds: [] }],
  ] as const)('removes %s after the approval and a verification', async (method, name, expected) => {
    const made = await atChoice({
      ...makeApprovingPage(),
      user: userWith(...new Set(['totp', method] as const)),
      serve(_event, data) {
        if (data.mfaCode === undefined) throw missing()
        return { user: method === 'totp' ? userWith() : userWith('totp') }
      },
    })
    await made.page.press(`Remove ${name}`)
    await made.page.openWalletWindow()
    await verify(made)
    await made.page.see(title)
    const { event, data } = made.calls.at(-1) ?? {}
    expect({ event, ...data }).toMatchObject({ ...expected, mfaCode: '123456' })
    expect(made.page.hasButton(`Remove ${name}`)).toBe(false)
    expect(made.operations.ended).toEqual(['op-1'])
  })

  test('keeps it when they cancel the verification', async () => {
    const made = await atChoice({ ...makeApprovingPage(), user: userWith('totp') })
    await made.page.press('Remove Authenticator App')
    await made.page.see(/It is your only one/)
    await made.page.openWalletWindow()
    await cancelVerification(made)
    await made.page.see('Verification canceled')
    await made.page.press('Keep')
    await made.page.see(title)
    expect(made.page.hasButton('Remove Authenticator App')).toBe(true)
  })

  describe('on the wallet page', () => {
    async function onPage() {
      const confirmPage = makeConfirmPage()
      const made = await atChoice({ user: userWith('totp'), serve: adding('totp'), ...confirmPage })
      await made.page.press('Remove Authenticator App')
      await made.page.see('Remove authenticator app verification?')
      // Only the wallet page approves a removal.
      expect(made.page.hasButton('Remove')).toBe(false)
      await made.page.openWalletWindow()
      const decide = async (decision: Parameters<typeof confirmPage.decide>[0]) => {
        confirmPage.decide(decision)
        await made.clock.advance(1_000)
      }
      return { ...made, decide }
    }

    test('removes it by an approval there', async () => {
      const made = await onPage()
      expect(made.calls).toEqual([])
      await made.decide('approved')
      await verify(made)
      await made.page.see(title)
      expect(made.calls.at(-1)).toMatchObject({ event: 'mfa:unenroll', data: { mfaCode: '123456' } })
      expect(made.confirmations).toEqual(['h'.repeat(43)])
      expect(made.page.hasButton('Remove Authenticator App')).toBe(false)
    })

    test('keeps it by a rejection there', async () => {
      const made = await onPage()
      await made.decide('refused')
      await made.page.see(title)
      expect(made.calls).toEqual([])
      expect(made.page.hasButton('Remove Authenticator App')).toBe(true)
    })

    test('can request the approval again after it expired', async () => {
      const made = await onPage()
      await made.decide('expired')
      await made.page.see('Unknown error')
      await made.decide('approved')
      await made.page.press('Try again')
      await made.page.openWalletWindow()
      await verify(made)
      await made.page.see(title)
      expect(made.page.hasButton('Remove Authenticator App')).toBe(false)
    })
  })
})

describe('a host', () => {
  test('opens the enrolment of one method, or the removal of one', async () => {
    const { page, more } = await render()
    const enrolling = watch(more('enrollMfa', { method: 'totp' }))
    await page.see('Scan QR code')
    await more('closeMfaEnrollment', {})
    await settle()
    expect(enrolling.value).toMatchObject({ user: { mfaMethods: [] } })
    const other = await render({ user: userWith('sms') })
    void other.more('unenrollMfa', { method: 'sms' }).catch(() => {})
    await other.page.see('Remove SMS verification?')
    await other.page.press('Back')
    await other.page.see(title)
  })

  // spec L7.43
  test('opens the enrolment of passkeys, which submits the ids of the credentials', async () => {
    const made = await render({ user: twoPasskeys })
    const enrolling = watch(made.more('enrollMfa', { method: 'passkey' }))
    await made.page.see('Set up passkey verification')
    expect(made.calls).toEqual([])
    await made.page.approve()
    await made.page.see('Passkey verification added')
    expect(submitted(made)).toEqual(enabled('b25l', 'dHdv'))
    await made.page.press('Done')
    expect(enrolling.value).toMatchObject({ user: { mfaMethods: ['passkey'] } })
  })

  test('opens no change that is not possible', async () => {
    const fixture = await makeMfaFixture({ user: userWith('totp'), methods: ['totp'] })
    for (const call of [
      fixture.more('enrollMfa', { method: 'totp' }),
      fixture.more('enrollMfa', { method: 'sms' }),
      fixture.more('unenrollMfa', { method: 'sms' }),
    ]) {
      await expect(call).rejects.toMatchObject({ code: 'not_supported' })
    }
    expect(fixture.frame).toEqual([])
  })

  test('receives no secret of an enrolment', async () => {
    const { page, typeCode, more, pageHeard } = await render()
    const enrolling = watch(more('enrollMfa', { method: 'totp' }))
    await page.press('Continue')
    await typeCode()
    await page.press('Done')
    expect(JSON.stringify([enrolling.value, pageHeard])).not.toContain(totp.secret)
    expect(enrolling.value).toMatchObject({ user: { mfaMethods: ['totp'] } })
  })
})
