import { LatchkeyError, type MfaMethodType } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { settle } from '../../testing/clock.ts'
import { type Answers, refused, watch } from '../../testing/fixture.ts'
import { walletAddress } from '../../testing/fixtures.ts'
import { readCard } from '../../testing/read-screen.ts'
import { FrameRefused } from '../../webauthn/authenticator.ts'
import {
  assertion,
  type FrameData,
  type MfaFixtureOptions,
  makeMfaFixture,
  missing,
  relyingParty,
  userWith,
} from './testing.ts'
import { english } from './texts.arb'

const REVIEW = 'EMBEDDED_WALLET_SIGN_REQUEST_SCREEN'
const CODE = 'MFA_VERIFY_CODE_SCREEN'
const CHOICE = 'MFA_VERIFY_CHOICE_SCREEN'
const PASSKEY = 'MFA_VERIFY_PASSKEY_SCREEN'

/** A wallet that signs with this code, or with a passkey. */
const signsWith =
  (code: string) =>
  (given: FrameData | undefined): string => {
    if (given?.mfaCode === code || given?.mfaMethod === 'passkey') return '0xsigned'
    throw missing()
  }

/** A signature that was approved, and waits for its user to be verified. */
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
  const signing = watch(fixture.signMessage({ message: 'Hello' }))
  await fixture.clock.advance(0)
  await fixture.approve(REVIEW)
  return { ...fixture, tried, signing }
}

describe('a call of the wallet that wants a second factor', () => {
  // spec W1.2, L2.68, L4.43, L4.46
  test('is interrupted for a code, and goes on where it was', async () => {
    const { screen, state, press, signing, tried, clock, frame } = await interrupted(['totp'])
    expect(tried).toEqual([undefined])
    expect(screen()).toBe(CODE)
    expect(state(CODE)).toMatchObject({ method: 'totp', canChoose: false, passcode: { status: 'ready' } })
    expect(signing.settled).toBe(false)
    await press(CODE, 'submit', '123456')
    expect(tried.at(-1)).toEqual({ mfaMethod: 'totp', mfaCode: '123456' })
    expect(signing.value).toEqual({ signature: '0xsigned', address: walletAddress })
    expect(state(REVIEW)).toMatchObject({ status: 'success' })
    await clock.advance(1_600)
    expect(frame).toEqual(['show', 'hide'])
  })

  // spec L8.43
  test('says that a code is wrong, empties the fields after 1.4 s, and takes another', async () => {
    const { state, press, clock, signing } = await interrupted(['totp'])
    await press(CODE, 'submit', '000000')
    expect(state(CODE).passcode).toMatchObject({ status: 'wrong', problem: 'invalid', attempt: 1 })
    expect(english.problems.invalid).toBe('The code you entered is not valid')
    await clock.advance(1_399)
    expect(state(CODE).passcode.attempt).toBe(1)
    await clock.advance(1)
    expect(state(CODE).passcode).toMatchObject({ status: 'ready', problem: 'invalid', attempt: 2 })
    await press(CODE, 'submit', '123456')
    expect(signing.value).toMatchObject({ signature: '0xsigned' })
  })

  // spec L4.47, L8.42, L8.48, W8.34
  test('fails after four wrong codes, and takes no other', async () => {
    const { state, press, clock, signing, tried, close } = await interrupted(['totp'])
    for (const code of ['000001', '000002', '000003']) {
      await press(CODE, 'submit', code)
      await clock.advance(1_400)
    }
    expect(state(CODE).passcode.status).toBe('ready')
    await press(CODE, 'submit', '000004')
    expect(state(CODE).passcode).toMatchObject({ status: 'blocked', problem: 'maxAttempts' })
    await press(CODE, 'submit', '123456')
    expect(tried).toHaveLength(5)
    await close()
    expect(signing.error).toMatchObject({ code: 'mfa_verification_max_attempts_reached' })
  })

  test('fails at once where the server takes no more', async () => {
    const { state } = await interrupted(['totp'], {
      sign(given) {
        throw given ? new LatchkeyError('mfa_verification_max_attempts_reached', 'Locked') : missing()
      },
    })
    expect(state(CODE).passcode.status).toBe('ready')
  })

  // spec L4.48, L8.44, L8.50
  test('waits for a code for 300000 ms', async () => {
    const { state, clock, signing, close, press } = await interrupted(['totp'])
    await clock.advance(299_999)
    expect(state(CODE).passcode.status).toBe('ready')
    await clock.advance(1)
    expect(state(CODE).passcode).toMatchObject({ status: 'blocked', problem: 'timeLimit' })
    await press(CODE, 'submit', '123456')
    await close()
    expect(signing.error).toMatchObject({ code: 'mfa_timeout', message: 'Timed out waiting for MFA code' })
  })

  test('waits as long for each of them', async () => {
    const { state, clock, press } = await interrupted(['totp'])
    await clock.advance(200_000)
    await press(CODE, 'submit', '000000')
    await clock.advance(200_000)
    expect(state(CODE).passcode.status).toBe('ready')
  })

  // spec L2.69, L8.45, L8.52
  test('is left by ‘Not now’, and can be tried again', async () => {
    const { state, press, signing, screen, approve, close } = await interrupted(['totp'])
    await press(CODE, 'notNow')
    expect(state(REVIEW)).toMatchObject({ status: 'failed', problem: 'canceled' })
    expect(signing.settled).toBe(false)
    await press(REVIEW, 'retry')
    await approve(REVIEW)
    expect(screen()).toBe(CODE)
    await press(CODE, 'notNow')
    await close()
    expect(signing.error).toMatchObject({ code: 'missing_or_invalid_mfa', message: 'MFA canceled' })
  })

  test('is left by going back, too', async () => {
    const { back, state } = await interrupted(['totp'])
    await back()
    expect(state(REVIEW)).toMatchObject({ status: 'failed', problem: 'canceled' })
  })

  // spec L8.47
  test('says that something went wrong where no answer came, and takes another', async () => {
    const { state, press, clock, signing } = await interrupted(['totp'], {
      sign(given) {
        if (given?.mfaCode === '123456') return '0xsigned'
        throw given ? new LatchkeyError('server_unreachable', 'Nobody answers') : missing()
      },
    })
    await press(CODE, 'submit', '111111')
    expect(state(CODE).passcode).toMatchObject({ status: 'wrong', problem: 'other' })
    await clock.advance(1_400)
    await press(CODE, 'submit', '123456')
    expect(signing.value).toMatchObject({ signature: '0xsigned' })
  })

  test('that is verified and was asked for too often wants no other code', async () => {
    const { state, press } = await interrupted(['totp'], {
      sign(given) {
        throw given
          ? new LatchkeyError('too_many_requests', 'Deferral', { details: { verified: true } })
          : missing()
      },
    })
    await press(CODE, 'submit', '123456')
    expect(state(REVIEW)).toMatchObject({ status: 'failed' })
  })

  test('takes another code where the answers were too many', async () => {
    const { state, press } = await interrupted(['totp'], {
      sign(given) {
        throw given ? new LatchkeyError('too_many_requests', 'Deferral') : missing()
      },
    })
    await press(CODE, 'submit', '123456')
    expect(state(CODE).passcode).toMatchObject({ status: 'wrong', problem: 'other' })
  })

  test('that is verified and fails otherwise fails as it would without', async () => {
    const { state, press } = await interrupted(['totp'], {
      sign(given) {
        throw given ? new LatchkeyError('share_mismatch', 'Not the share') : missing()
      },
    })
    await press(CODE, 'submit', '123456')
    expect(state(REVIEW)).toMatchObject({ status: 'failed' })
  })
})

describe('of several methods', () => {
  // spec L2.67, L2.69, L4.43
  test('the first is chosen, and another can be', async () => {
    const { state, press, screen, tried, back } = await interrupted(['totp', 'sms'])
    expect(state(CODE)).toMatchObject({ method: 'totp', canChoose: true })
    await press(CODE, 'other')
    expect(state(CHOICE)).toEqual({ methods: ['totp', 'sms'] })
    await back()
    expect(state(CODE)).toMatchObject({ method: 'totp' })
    await press(CODE, 'other')
    await press(CHOICE, 'choose', 'sms')
    expect(state(CODE)).toMatchObject({ method: 'sms' })
    await press(CODE, 'submit', '123456')
    expect(tried.at(-1)).toEqual({ mfaMethod: 'sms', mfaCode: '123456' })
    expect(screen()).toBe(REVIEW)
  })

  test('the last that verified is chosen next time', async () => {
    const fixture = await interrupted(['totp', 'sms'])
    await fixture.press(CODE, 'other')
    await fixture.press(CHOICE, 'choose', 'sms')
    await fixture.press(CODE, 'submit', '123456')
    await fixture.clock.advance(2_000)
    const again = watch(fixture.signMessage({ message: 'Again' }))
    await fixture.clock.advance(0)
    await fixture.approve(REVIEW)
    expect(fixture.state(CODE)).toMatchObject({ method: 'sms' })
    expect(again.settled).toBe(false)
  })

  // spec L4.47
  test('all count their tries together', async () => {
    const { state, press, clock } = await interrupted(['totp', 'sms'])
    for (const code of ['000001', '000002']) {
      await press(CODE, 'submit', code)
      await clock.advance(1_400)
    }
    await press(CODE, 'other')
    await press(CHOICE, 'choose', 'sms')
    await press(CODE, 'submit', '000003')
    await clock.advance(1_400)
    expect(state(CODE).passcode.status).toBe('ready')
    await press(CODE, 'submit', '000004')
    expect(state(CODE).passcode.status).toBe('blocked')
  })

  test('the time that is up is said where one is chosen', async () => {
    const { press, clock, state } = await interrupted(['totp', 'sms'])
    await press(CODE, 'other')
    await clock.advance(300_000)
    expect(state(CODE).passcode).toMatchObject({ status: 'blocked', problem: 'timeLimit' })
  })
})

describe('a verification by SMS', () => {
  // spec L7.9, L7.49
  test('has a code sent, once, and another after 30 s', async () => {
    const { transport, state, press, clock } = await interrupted(['sms'])
    expect(transport.calls('sendMfaCode').map(({ body }) => body)).toEqual([{ action: 'verify' }])
    expect(state(CODE).passcode.resend).toBe('locked')
    expect(state(CODE).sentTo).toBe('*0123')
    await press(CODE, 'resend')
    expect(transport.calls('sendMfaCode')).toHaveLength(1)
    await clock.advance(30_000)
    await press(CODE, 'resend')
    expect(transport.calls('sendMfaCode')).toHaveLength(2)
  })

  test('says where none could be sent', async () => {
    const { state } = await interrupted(['sms'], {
      answers: {
        sendMfaCode: () => {
          throw refused('twilio_verification_failed', 400)
        },
      },
    })
    expect(state(CODE).passcode).toMatchObject({
      status: 'ready',
      problem: 'other',
      resend: 'available',
      isSent: false,
    })
  })
})

describe('a verification by passkey', () => {
  // spec L4.44, L7.10
  test('asks the device by itself, and sends what that answers', async () => {
    const { transport, state, device, tried, signing } = await interrupted(['passkey'])
    expect(transport.calls('beginPasskeyVerification').map(({ body }) => body)).toEqual([{}])
    expect(state(PASSKEY)).toEqual({ status: 'asking', canChoose: false })
    await device.approve()
    expect(tried.at(-1)).toEqual({ mfaMethod: 'passkey', mfaCode: assertion, relyingParty })
    expect(signing.value).toMatchObject({ signature: '0xsigned' })
  })

  // spec L2.70, L8.49
  test('that the device refuses can be tried again, and counts no try', async () => {
    const fixture = await interrupted(['passkey'])
    const { state, device, press, signing, tried } = fixture
    const title = 'Verifying with passkey'
    expect(readCard(fixture)).toEqual([title, 'Follow the steps that your device shows.', 'Not now'])
    for (let refusal = 0; refusal < 5; refusal += 1) {
      await device.refuse()
      expect(state(PASSKEY)).toMatchObject({ status: 'failed', problem: 'notGiven', isOver: false })
      expect(readCard(fixture)).toEqual([title, 'something went wrong', 'Try again', 'Not now'])
      await press(PASSKEY, 'again')
      expect(state(PASSKEY)).toMatchObject({ status: 'asking' })
    }
    await device.approve()
    expect(tried).toHaveLength(2)
    expect(signing.value).toMatchObject({ signature: '0xsigned' })
  })

  test('is asked in a window of its own where the browser lets no frame ask', async () => {
    const answers: Answers = {
      beginPasskeyWindow: () => ({}),
      passkeyWindowStatus: () => ({ status: 'answered' }),
      takePasskeyAnswer: () => ({ type: 'get', assertion }),
    }
    const made = await interrupted(['passkey'], { answers })
    await made.device.refuse(new FrameRefused())
    await made.clock.advance(0)
    expect(made.state('PASSKEY_WINDOW_SCREEN')).toEqual({ status: 'to open' })
    await made.press('PASSKEY_WINDOW_SCREEN', 'open')
    expect(made.transport.calls('beginPasskeyWindow')).toMatchObject([
      { body: { ceremony: { type: 'get' } } },
    ])
    expect(made.tried.at(-1)).toEqual({ mfaMethod: 'passkey', mfaCode: assertion, relyingParty })
    expect(made.signing.value).toMatchObject({ signature: '0xsigned' })
  })

  test('that is left before its window counts no try, and can be tried again', async () => {
    const { state, device, press, clock, tried, browser } = await interrupted(['passkey'])
    await device.refuse(new FrameRefused())
    await clock.advance(0)
    await press('PASSKEY_WINDOW_SCREEN', 'leave')
    expect(state(PASSKEY)).toMatchObject({ status: 'failed', problem: 'notGiven', isOver: false })
    expect([tried.length, browser.windows.length]).toEqual([1, 0])
    await press(PASSKEY, 'again')
    await device.approve()
    expect(tried).toHaveLength(2)
  })

  test('ends its window with the time for it', async () => {
    const answers: Answers = {
      beginPasskeyWindow: () => ({}),
      passkeyWindowStatus: () => ({ status: 'pending' }),
    }
    const { state, device, press, clock, browser, signing, close } = await interrupted(['passkey'], {
      answers,
    })
    await device.refuse(new FrameRefused())
    await clock.advance(0)
    // The window has time left when the verification has none.
    await clock.advance(100_000)
    await press('PASSKEY_WINDOW_SCREEN', 'open')
    await clock.advance(199_999)
    expect(browser.windows[0]?.wasClosed()).toBe(false)
    await clock.advance(1)
    expect(browser.windows[0]?.wasClosed()).toBe(true)
    expect(state(PASSKEY)).toMatchObject({ status: 'failed', isOver: true })
    await close()
    expect(signing.error).toMatchObject({ code: 'mfa_timeout' })
  })

  test('that is left for another method is heard no more', async () => {
    const { device, press, screen, tried } = await interrupted(['passkey', 'totp'])
    await press(PASSKEY, 'other')
    await press(CHOICE, 'choose', 'totp')
    await device.approve()
    expect(screen()).toBe(CODE)
    expect(tried).toEqual([undefined])
  })
})

describe('a host that asks for the second factor itself', () => {
  const byHost = { config: { mfa: { noPromptOnMfaRequired: true } } }

  const verified = (given: FrameData | undefined) => signsWith('123456')(given)

  // spec W6.3, L7.45, L8.51, L8.53
  test('is told the methods, and brings the answer; no screen asks', async () => {
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
  test('is given the challenge of a passkey, and brings what answered it', async () => {
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
  ])('brings for %s nothing that is no answer of it, and has lost no try', async (method, answer) => {
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
  test('cancels, and the call ends with that', async () => {
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
    const often = await interrupted(['totp'], { ...byHost, sign: verified })
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
