import { LatchkeyError, type MfaMethodType } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { settle } from '../../testing/clock.ts'
import { type Answers, refused, watch } from '../../testing/fixture.ts'
import { walletAddress } from '../../testing/fixtures.ts'
import { renderDialog } from '../../testing/page.tsx'
import { FrameRefused } from '../../webauthn/authenticator.ts'
import { assertion } from '../../webauthn/testing.ts'
import {
  type FrameData,
  type MfaFixtureOptions,
  makeMfaFixture,
  missing,
  relyingParty,
  userWith,
} from './testing.ts'

const CODE = 'MFA_VERIFY_CODE_SCREEN'
const REVIEW = 'EMBEDDED_WALLET_SIGN_REQUEST_SCREEN'

const codeTitle = 'Enter verification code'
const choiceTitle = 'Verify your identity'
const passkeyTitle = 'Verifying with passkey'
const wrongCode = 'The code you entered is not valid'
const tooOften =
  'You have exceeded the maximum number of attempts. Please close this window and try again in 10 seconds.'
const tooLate = 'You have exceeded the time limit for code entry. Please try again in 30 seconds.'

/** A wallet that signs with this code, or with a passkey. */
const signsWith =
  (code: string) =>
  (given: FrameData | undefined): string => {
    if (given?.mfaCode === code || given?.mfaMethod === 'passkey') return '0xsigned'
    throw missing()
  }

/** A signature that the user approved, and that needs a verification. */
async function interrupted(methods: readonly MfaMethodType[], options: MfaFixtureOptions = {}) {
  const tried: (FrameData | undefined)[] = []
  const sign = options.sign ?? signsWith('123456')
  const fixture = await makeMfaFixture({
    user: userWith(...methods),
    ...options,
    sign(given) {
      tried.push(given)
      return sign(given)
    },
  })
  const page = renderDialog(fixture)
  const signing = watch(fixture.signMessage({ message: 'Hello' }))
  const approve = async () => {
    await page.see('Sign and continue')
    await fixture.clock.advance(0)
    await page.approve()
  }
  await approve()
  return {
    ...fixture,
    page,
    approve,
    tried,
    signing,
    /** Types into the empty fields. */
    typeCode: (code = '123456') => page.type('Digit 1 of 6', code),
    digits: () =>
      [...document.querySelectorAll<HTMLInputElement>('[role=group] input')]
        .map(({ value }) => value)
        .join(''),
    /** Returns whether the fields accept digits. */
    isReady: () => document.querySelector('[role=group] input:not([aria-disabled=true])') !== null,
    async chooseOther(name: string) {
      await page.press('Choose another method')
      await page.press(name)
    },
  }
}

describe('a call of the wallet that needs a second factor', () => {
  // spec W1.2, L2.68, L4.43, L4.46
  test('is interrupted for a code, and goes on afterwards', async () => {
    const { page, screen, typeCode, signing, tried, clock, frame } = await interrupted(['totp'])
    await page.see(codeTitle)
    expect(tried).toEqual([undefined])
    expect(screen()).toBe(CODE)
    expect(page.has('Enter the code that your authenticator app shows.')).toBe(true)
    expect(page.hasButton('Choose another method')).toBe(false)
    expect(signing.settled).toBe(false)
    await typeCode()
    expect(tried.at(-1)).toEqual({ mfaMethod: 'totp', mfaCode: '123456' })
    expect(signing.value).toEqual({ signature: '0xsigned', address: walletAddress })
    await page.see('Success')
    await clock.advance(1_600)
    expect(frame).toEqual(['show', 'hide'])
  })

  // spec L8.43
  test('shows that a code is wrong, empties the fields after 1.4 s, and takes another', async () => {
    const { page, typeCode, digits, clock, signing } = await interrupted(['totp'])
    await typeCode('000000')
    await page.see(wrongCode)
    await clock.advance(1_399)
    expect(digits()).toBe('000000')
    await clock.advance(1)
    expect(digits()).toBe('')
    expect(page.has(wrongCode)).toBe(true)
    await typeCode()
    expect(signing.value).toMatchObject({ signature: '0xsigned' })
  })

  test('takes a code that is typed over a wrong one', async () => {
    const { page, typeCode, clock, signing } = await interrupted(['totp'])
    await typeCode('000000')
    await page.see(wrongCode)
    await typeCode('12')
    // The timer of the wrong code has ended with it.
    await clock.advance(1_400)
    await page.type('Digit 3 of 6', '3456')
    expect(signing.value).toMatchObject({ signature: '0xsigned' })
  })

  // spec L4.47, L8.42, L8.48, W8.34
  test('fails after four wrong codes, and takes no other', async () => {
    const { page, typeCode, isReady, clock, signing, tried, close } = await interrupted(['totp'])
    for (const code of ['000001', '000002', '000003']) {
      await typeCode(code)
      await clock.advance(1_400)
    }
    expect(isReady()).toBe(true)
    await typeCode('000004')
    await page.see(tooOften)
    await typeCode()
    expect(isReady()).toBe(false)
    expect(tried).toHaveLength(5)
    expect(page.hasButton('Choose another method')).toBe(false)
    await close()
    expect(signing.error).toMatchObject({ code: 'mfa_verification_max_attempts_reached' })
  })

  test('fails at once with a limit of the server', async () => {
    const { page, typeCode } = await interrupted(['totp'], {
      sign(given) {
        throw given ? new LatchkeyError('mfa_verification_max_attempts_reached', 'Locked') : missing()
      },
    })
    await typeCode()
    await page.see(tooOften)
  })

  // spec L4.48, L8.44, L8.50
  test('waits for a code for 300000 ms', async () => {
    const { page, typeCode, isReady, clock, signing, tried, close } = await interrupted(['totp'])
    await page.see(codeTitle)
    await clock.advance(299_999)
    expect(isReady()).toBe(true)
    await clock.advance(1)
    await page.see(tooLate)
    await typeCode()
    expect(tried).toHaveLength(1)
    await close()
    expect(signing.error).toMatchObject({ code: 'mfa_timeout', message: 'Timed out waiting for MFA code' })
  })

  test('waits as long for each of them', async () => {
    const { page, typeCode, isReady, clock } = await interrupted(['totp'])
    await page.see(codeTitle)
    await clock.advance(200_000)
    await typeCode('000000')
    await clock.advance(200_000)
    expect(isReady()).toBe(true)
    expect(page.has(tooLate)).toBe(false)
  })

  // spec L2.69, L8.45, L8.52
  test('is left by ‘Not now’, and can be tried again', async () => {
    const { page, approve, signing, close } = await interrupted(['totp'])
    await page.press('Not now')
    await page.see('Verification canceled')
    expect(signing.settled).toBe(false)
    await page.press('Try again')
    await approve()
    await page.see(codeTitle)
    await page.press('Not now')
    await page.see('Verification canceled')
    await close()
    expect(signing.error).toMatchObject({ code: 'missing_or_invalid_mfa', message: 'MFA canceled' })
  })

  test('is left by going back, too', async () => {
    const { page } = await interrupted(['totp'])
    await page.see(codeTitle)
    await page.press('Back')
    await page.see('Verification canceled')
  })

  // spec L8.47
  test('shows that something went wrong after no response, and takes another code', async () => {
    const { page, typeCode, clock, signing } = await interrupted(['totp'], {
      sign(given) {
        if (given?.mfaCode === '123456') return '0xsigned'
        throw given ? new LatchkeyError('server_unreachable', 'No response') : missing()
      },
    })
    await typeCode('111111')
    await page.see('Something went wrong.')
    await clock.advance(1_400)
    await typeCode()
    expect(signing.value).toMatchObject({ signature: '0xsigned' })
  })

  test('wants no other code if a verified call is rate limited', async () => {
    const { page, typeCode } = await interrupted(['totp'], {
      sign(given) {
        throw given
          ? new LatchkeyError('too_many_requests', 'Deferral', { details: { verified: true } })
          : missing()
      },
    })
    await typeCode()
    await page.see('Unable to sign')
  })

  test('takes another code if the answers were too many', async () => {
    const { page, typeCode } = await interrupted(['totp'], {
      sign(given) {
        throw given ? new LatchkeyError('too_many_requests', 'Deferral') : missing()
      },
    })
    await typeCode()
    await page.see('Something went wrong.')
    expect(page.has(codeTitle)).toBe(true)
  })

  test('fails with another error of the call as it would without a verification', async () => {
    const { page, typeCode } = await interrupted(['totp'], {
      sign(given) {
        throw given ? new LatchkeyError('share_mismatch', 'Not the share') : missing()
      },
    })
    await typeCode()
    await page.see('Unable to sign')
  })

  test('cannot be left while its code is checked', async () => {
    const call = Promise.withResolvers<string>()
    const { page, typeCode } = await interrupted(['totp'], {
      sign(given) {
        if (given) return call.promise as unknown as string
        throw missing()
      },
    })
    await typeCode()
    expect([page.hasButton('Back'), page.hasButton('Close')]).toEqual([false, false])
    call.resolve('0xsigned')
    await page.see('Success')
  })
})

describe('of several methods', () => {
  // spec L2.67, L2.69, L4.43
  test('the first opens, and the user can choose another', async () => {
    const { page, screen, typeCode, tried } = await interrupted(['totp', 'sms'])
    await page.see('Enter the code that your authenticator app shows.')
    await page.press('Choose another method')
    await page.see(choiceTitle)
    expect(page.texts().slice(2, 5)).toEqual(['Authenticator App', 'SMS', 'Not now'])
    await page.press('Back')
    await page.see('Enter the code that your authenticator app shows.')
    await page.press('Choose another method')
    await page.press('SMS')
    await page.see('We sent a code to your phone')
    await typeCode()
    expect(tried.at(-1)).toEqual({ mfaMethod: 'sms', mfaCode: '123456' })
    expect(screen()).toBe(REVIEW)
  })

  test('the choice ends the verification with ‘Not now’', async () => {
    const { page } = await interrupted(['totp', 'sms'])
    await page.press('Choose another method')
    await page.see(choiceTitle)
    await page.press('Not now')
    await page.see('Verification canceled')
  })

  test('the last that verified opens first next time', async () => {
    const { page, approve, chooseOther, typeCode, clock, signMessage } = await interrupted(['totp', 'sms'])
    await chooseOther('SMS')
    await typeCode()
    await page.see('Success')
    await clock.advance(2_000)
    const again = watch(signMessage({ message: 'Again' }))
    await approve()
    await page.see('We sent a code to your phone')
    expect(again.settled).toBe(false)
  })

  // spec L4.47
  test('all count their tries together', async () => {
    const { page, chooseOther, typeCode, isReady, clock } = await interrupted(['totp', 'sms'])
    for (const code of ['000001', '000002']) {
      await typeCode(code)
      await clock.advance(1_400)
    }
    await chooseOther('SMS')
    await typeCode('000003')
    await clock.advance(1_400)
    expect(isReady()).toBe(true)
    await typeCode('000004')
    await page.see(tooOften)
  })

  test('the time limit is shown instead of the choice', async () => {
    const { page, clock } = await interrupted(['totp', 'sms'])
    await page.press('Choose another method')
    await page.see(choiceTitle)
    await clock.advance(300_000)
    await page.see(tooLate)
    expect(page.has(choiceTitle)).toBe(false)
  })
})

describe('a verification by SMS', () => {
  // spec L7.9, L7.49
  test('sends a code, once, and another after 30 s', async () => {
    const { page, transport, clock } = await interrupted(['sms'])
    await page.see('*0123')
    expect(transport.calls('sendMfaCode').map(({ body }) => body)).toEqual([{ action: 'verify' }])
    expect(page.has('Code sent')).toBe(true)
    expect(page.hasButton('Resend code')).toBe(false)
    await clock.advance(30_000)
    await page.press('Resend code')
    expect(transport.calls('sendMfaCode')).toHaveLength(2)
  })

  test('shows that no code could be sent', async () => {
    const { page, isReady } = await interrupted(['sms'], {
      answers: {
        sendMfaCode: () => {
          throw refused('twilio_verification_failed', 400)
        },
      },
    })
    await page.see('We could not send a code to your phone.')
    await page.see('Something went wrong.')
    expect(isReady()).toBe(true)
    expect(page.hasButton('Resend code')).toBe(true)
  })
})

describe('a verification by passkey', () => {
  // spec L4.44, L7.10
  test('asks the device by itself, and sends its answer', async () => {
    const { page, transport, device, tried, signing } = await interrupted(['passkey'])
    await page.see('Follow the steps that your device shows.')
    expect(transport.calls('beginPasskeyVerification').map(({ body }) => body)).toEqual([{}])
    expect(page.hasButton('Choose another method')).toBe(false)
    await device.approve()
    expect(tried.at(-1)).toEqual({ mfaMethod: 'passkey', mfaCode: assertion, relyingParty })
    expect(signing.value).toMatchObject({ signature: '0xsigned' })
  })

  // spec L2.70, L8.49
  test('can be tried again after the device refused, which counts no try', async () => {
    const { page, device, signing, tried } = await interrupted(['passkey'])
    await page.see(passkeyTitle)
    expect(page.texts().slice(0, 3)).toEqual([
      passkeyTitle,
      'Follow the steps that your device shows.',
      'Not now',
    ])
    for (let refusal = 0; refusal < 5; refusal += 1) {
      await device.refuse()
      await page.see('something went wrong')
      expect(page.texts().slice(0, 4)).toEqual([passkeyTitle, 'something went wrong', 'Try again', 'Not now'])
      await page.press('Try again')
      await page.see('Follow the steps that your device shows.')
    }
    await device.approve()
    expect(tried).toHaveLength(2)
    expect(signing.value).toMatchObject({ signature: '0xsigned' })
  })

  test('asks in a window if the browser lets no frame ask', async () => {
    const answers: Answers = {
      beginPasskeyWindow: () => ({}),
      passkeyWindowStatus: () => ({ status: 'answered' }),
      takePasskeyAnswer: () => ({ type: 'get', assertion }),
    }
    const made = await interrupted(['passkey'], { answers })
    await made.device.refuse(new FrameRefused())
    await made.clock.advance(0)
    await made.page.press('Continue')
    expect(made.transport.calls('beginPasskeyWindow')).toMatchObject([
      { body: { ceremony: { type: 'get' } } },
    ])
    expect(made.tried.at(-1)).toEqual({ mfaMethod: 'passkey', mfaCode: assertion, relyingParty })
    expect(made.signing.value).toMatchObject({ signature: '0xsigned' })
  })

  test('counts no try if the user leaves before its window, and can be tried again', async () => {
    const { page, device, clock, tried, browser } = await interrupted(['passkey'])
    await device.refuse(new FrameRefused())
    await clock.advance(0)
    await page.press('Back')
    await page.see('something went wrong')
    expect([tried.length, browser.windows.length]).toEqual([1, 0])
    await page.press('Try again')
    await device.approve()
    expect(tried).toHaveLength(2)
  })

  test('closes its window at the time limit', async () => {
    const answers: Answers = {
      beginPasskeyWindow: () => ({}),
      passkeyWindowStatus: () => ({ status: 'pending' }),
    }
    const { page, device, clock, browser, signing, close } = await interrupted(['passkey'], {
      answers,
    })
    await device.refuse(new FrameRefused())
    await clock.advance(0)
    // The window has time left when the verification has none.
    await clock.advance(100_000)
    await page.press('Continue')
    await clock.advance(199_999)
    expect(browser.windows[0]?.wasClosed()).toBe(false)
    await clock.advance(1)
    expect(browser.windows[0]?.wasClosed()).toBe(true)
    await page.see(tooLate)
    expect(page.hasButton('Try again')).toBe(false)
    await close()
    expect(signing.error).toMatchObject({ code: 'mfa_timeout' })
  })

  test('ignores the device after the user chose another method', async () => {
    const { page, device, chooseOther, tried } = await interrupted(['passkey', 'totp'])
    await chooseOther('Authenticator App')
    await device.approve()
    await page.see(codeTitle)
    expect(tried).toEqual([undefined])
  })
})

describe('a host that asks for the second factor itself', () => {
  const byHost = { config: { mfa: { noPromptOnMfaRequired: true } } }

  // spec W6.3, L7.45, L8.51, L8.53
  test('receives the methods, and submits the answer without a screen', async () => {
    const fixture = await interrupted(['totp', 'sms'], byHost)
    expect(fixture.pageHeard).toEqual([{ name: 'mfaRequired', data: { methods: ['totp', 'sms'] } }])
    expect(fixture.screen()).toBe(REVIEW)
    expect(fixture.frame).toEqual(['show', 'hide'])
    expect(await fixture.more('initMfa', { method: 'sms' })).toEqual({})
    expect(fixture.transport.calls('sendMfaCode').map(({ body }) => body)).toEqual([{ action: 'verify' }])
    await expect(fixture.more('submitMfa', { method: 'sms', answer: '000000' })).rejects.toMatchObject({
      code: 'missing_or_invalid_mfa',
      message: 'MFA verification failed, retry.',
    })
    await expect(fixture.more('initMfa', { method: 'letter' })).rejects.toMatchObject({
      message: 'Unsupported MFA method',
    })
    expect(await fixture.more('submitMfa', { method: 'sms', answer: '123456' })).toEqual({})
    await settle()
    expect(fixture.tried.at(-1)).toEqual({ mfaMethod: 'sms', mfaCode: '123456' })
    expect(fixture.signing.value).toMatchObject({ signature: '0xsigned' })
    expect(fixture.frame).toEqual(['show', 'hide', 'show'])
  })

  // spec L7.10
  test('receives the challenge of a passkey, and submits the assertion', async () => {
    const fixture = await interrupted(['passkey'], byHost)
    expect(await fixture.more('initMfa', { method: 'passkey' })).toMatchObject({ relyingParty })
    await fixture.more('submitMfa', { method: 'passkey', answer: assertion })
    expect(fixture.tried.at(-1)).toEqual({ mfaMethod: 'passkey', mfaCode: assertion, relyingParty })
  })

  // spec L5.14
  test.each([
    ['totp', { digits: '123456' }],
    ['sms', 123_456],
    ['passkey', '123456'],
  ])('loses no try with an invalid answer for %s', async (method, answer) => {
    const fixture = await interrupted(['totp', 'sms', 'passkey'], byHost)
    for (let time = 0; time < 5; time += 1) {
      await expect(fixture.more('submitMfa', { method, answer })).rejects.toMatchObject({
        code: 'invalid_data',
      })
    }
    expect(fixture.tried).toEqual([undefined])
    await fixture.more('submitMfa', { method: 'totp', answer: '123456' })
    await settle()
    expect(fixture.signing.value).toMatchObject({ signature: '0xsigned' })
  })

  // spec L8.52
  test('cancels, which ends the call', async () => {
    const fixture = await interrupted(['totp'], byHost)
    await fixture.more('cancelMfa', {})
    await settle()
    await fixture.close()
    expect(fixture.signing.error).toMatchObject({ message: 'MFA canceled' })
    await expect(fixture.more('submitMfa', { method: 'totp', answer: '123456' })).rejects.toMatchObject({
      code: 'unknown_mfa_error',
    })
  })

  // spec W8.34, L8.50
  test('has four tries, and five minutes for each', async () => {
    const often = await interrupted(['totp'], byHost)
    for (const answer of ['000001', '000002', '000003']) {
      await expect(often.more('submitMfa', { method: 'totp', answer })).rejects.toMatchObject({
        code: 'missing_or_invalid_mfa',
      })
    }
    await expect(often.more('submitMfa', { method: 'totp', answer: '000004' })).rejects.toMatchObject({
      code: 'mfa_verification_max_attempts_reached',
    })
    const late = await interrupted(['totp'], byHost)
    await late.clock.advance(300_000)
    await late.close()
    expect(late.signing.error).toMatchObject({ code: 'mfa_timeout' })
  })
})
