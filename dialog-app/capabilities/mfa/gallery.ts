import type { MfaMethodType } from '@latchkey/protocol'
import type { Gate } from '../../approval/gate.ts'
import { type Picture, type Pictures, pictured } from '../../contract/picture.ts'
import { emptyPhone, parseInput } from '../../ui/fields/phone/phone-value.ts'
import { Row } from './account-entry.tsx'
import type { EnrolmentState, OfferedMethod } from './enrol/enrolment-screen.tsx'
import type { RemovalState } from './enrol/removal-screen.tsx'
import type { Passcode } from './passcode/passcode-state.ts'
import type { PasskeysState } from './passkey/passkeys-screen.tsx'
import type { EnrolProblem } from './problem.ts'
import {
  addedScreen,
  enrolCodeScreen,
  enrolmentScreen,
  passkeysScreen,
  phoneScreen,
  removalScreen,
  scanScreen,
  verifyChoiceScreen,
  verifyCodeScreen,
  verifyPasskeyScreen,
} from './screens.ts'
import type { PhoneState } from './sms/lazy/phone-screen.tsx'
import type { VerifyPasskeyState } from './verify/passkey-screen.tsx'

const gate = (state: Gate['state'], asks = false): Gate => ({ state, sinceMs: 0, asks })
const armed = gate('armed')

const methods = (
  totp: OfferedMethod['status'],
  sms: OfferedMethod['status'],
  passkey: OfferedMethod['status'],
): readonly OfferedMethod[] => [
  { method: 'totp', status: totp },
  { method: 'sms', status: sms },
  { method: 'passkey', status: passkey },
]
type Choice = Extract<EnrolmentState, { step: 'choice' }>
const choice = (caption: string, state: Partial<Choice>): Picture => ({
  caption: `Verification methods, ${caption}`,
  screen: pictured(enrolmentScreen, {
    step: 'choice',
    methods: methods('recommended', 'offered', 'offered'),
    isVerified: false,
    opening: undefined,
    problem: undefined,
    ...state,
  }),
  canGoBack: true,
})

type Review = Omit<Extract<RemovalState, { status: 'review' }>, 'method' | 'isLast'>
const review: Review = { status: 'review', approval: { by: 'press', gate: armed }, problem: undefined }
const removal = (method: MfaMethodType, over: Partial<Review> = {}, isLast = false): Picture => ({
  caption: `Remove ${method}${over.problem ? ', not verified' : ''}${isLast ? ', the last' : ''}`,
  screen: pictured(removalScreen, { method, isLast, ...review, ...over }),
  canGoBack: true,
})

const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
const authUrl = `otpauth://totp/Fieldnotes:mira%40fieldnotes.example?secret=${secret}&issuer=Fieldnotes`
const scan = { secret, authUrl, isPhone: false }

const parsedPhone = parseInput(emptyPhone('US'), '2025550123')
const phone = (caption: string, state: Partial<PhoneState>): Picture => ({
  caption: `SMS verification, ${caption}`,
  screen: pictured(phoneScreen, {
    status: 'ready',
    given: undefined,
    country: undefined,
    problem: undefined,
    ...state,
  }),
  canGoBack: true,
})

const devices = ['iCloud Keychain', 'Chrome, Windows', undefined, 'Google Password Manager', '1Password']
type PasskeysReview = Extract<PasskeysState, { status: 'review' }>
const passkeys = (
  caption: string,
  count: number,
  step: Pick<PasskeysReview, 'status' | 'gate'> | { status: 'adding' | 'enabling' } = {
    status: 'review',
    gate: armed,
  },
  problem?: EnrolProblem,
): Picture => ({
  caption: `Passkey verification, ${caption}`,
  screen: pictured(passkeysScreen, {
    passkeys: devices.slice(0, count).map((device, at) => ({ id: String(at), device })),
    hasRoom: count < devices.length,
    problem,
    ...step,
  }),
  canGoBack: true,
})

const ready: Passcode = { status: 'ready', problem: undefined, attempt: 1, resend: 'none', isSent: false }
const code = '482913'

const enrolCode = (
  caption: string,
  method: 'totp' | 'sms',
  over: Partial<Passcode>,
  text?: string,
): Picture => {
  const shown = (passcode: Passcode) =>
    pictured(enrolCodeScreen, {
      method,
      passcode,
      ...(method === 'sms' && { phoneNumber: '+1 2025550123' }),
    })
  return {
    caption: `Enrollment code, ${caption}`,
    screen: shown({ ...ready, ...over }),
    canGoBack: true,
    ...(text !== undefined && { typed: { text, into: shown(ready) } }),
  }
}

const verifyCode = (
  caption: string,
  method: 'totp' | 'sms',
  over: Partial<Passcode>,
  text?: string,
): Picture => {
  const shown = (passcode: Passcode) =>
    pictured(verifyCodeScreen, { method, passcode, sentTo: '*0123', canChoose: true })
  return {
    caption: `Verify, ${caption}`,
    screen: shown({ ...ready, ...over }),
    canGoBack: true,
    ...(text !== undefined && { typed: { text, into: shown(ready) } }),
  }
}

const verifyPasskey = (caption: string, state: VerifyPasskeyState): Picture => ({
  caption: `Verify by passkey, ${caption}`,
  screen: pictured(verifyPasskeyScreen, state),
  canGoBack: true,
})

export const pictures: Pictures = {
  account: [Row],
  screens: [
    { caption: 'Transaction Protection', screen: pictured(enrolmentScreen, { step: 'intro' }) },
    choice('none yet', {}),
    choice('opening', { opening: 'totp' }),
    choice('some added', { methods: methods('added', 'offered', 'added'), isVerified: true }),
    choice('login by SMS', { methods: methods('recommended', 'disabled', 'offered') }),
    choice('not verified', {
      methods: methods('added', 'disabled', 'offered'),
      isVerified: true,
      problem: 'canceled',
    }),
    choice('failed', { problem: 'unknown' }),
    { caption: 'TOTP, scan', screen: pictured(scanScreen, scan), canGoBack: true },
    {
      caption: 'TOTP, on a phone',
      screen: pictured(scanScreen, { ...scan, isPhone: true }),
      canGoBack: true,
    },
    phone('number', {}),
    phone('sending', { given: parsedPhone, status: 'sending' }),
    phone('not sent', { given: parsedPhone, problem: 'unknown' }),
    passkeys('none yet', 0),
    passkeys('adding the first', 0, { status: 'adding' }),
    passkeys('adding one more', 3, { status: 'adding' }),
    passkeys('refused by the device', 0, undefined, 'passkeyNotAllowed'),
    passkeys('three', 3),
    passkeys('arming', 3, { status: 'review', gate: gate('arming') }),
    passkeys('covered', 2, { status: 'review', gate: gate('hidden') }),
    passkeys('five', 5),
    passkeys('enabling', 2, { status: 'enabling' }),
    enrolCode('app', 'totp', {}, '482'),
    enrolCode('app, wrong', 'totp', { status: 'wrong', problem: 'invalid' }, code),
    enrolCode('message', 'sms', { resend: 'locked', isSent: true }),
    enrolCode('message, again', 'sms', { resend: 'available', isSent: true }),
    enrolCode('checking', 'totp', { status: 'checking' }, code),
    ...(['totp', 'sms', 'passkey'] as const).map(
      (method): Picture => ({
        caption: `Added, ${method}`,
        screen: pictured(addedScreen, { method, hasMore: method !== 'passkey' }),
      }),
    ),
    removal('totp'),
    removal('sms', {}, true),
    removal('passkey'),
    removal('totp', { problem: 'canceled' }),
    {
      caption: 'Remove, removing',
      screen: pictured(removalScreen, { method: 'totp', isLast: true, status: 'removing' }),
    },
    {
      caption: 'Remove, on a page of its own',
      screen: pictured(removalScreen, {
        method: 'totp',
        isLast: false,
        ...review,
        approval: { by: 'page', reason: 'browser', way: { at: 'nowhere' } },
      }),
      canGoBack: true,
    },
    {
      caption: 'Remove, not confirmed',
      screen: pictured(removalScreen, {
        method: 'totp',
        isLast: false,
        status: 'stopped',
        problem: 'unknown',
      }),
      canGoBack: true,
    },
    {
      caption: 'Verify, choose',
      screen: pictured(verifyChoiceScreen, { methods: ['totp', 'sms', 'passkey'] }),
      canGoBack: true,
    },
    verifyCode('app', 'totp', {}, '482'),
    verifyCode('message on its way', 'sms', { resend: 'sending' }),
    verifyCode('message', 'sms', { resend: 'locked', isSent: true }),
    verifyCode('message not sent', 'sms', { resend: 'available', problem: 'other' }),
    verifyCode('not a number', 'totp', {}, '4x'),
    verifyCode('checking', 'totp', { status: 'checking' }, code),
    verifyCode('wrong', 'totp', { status: 'wrong', problem: 'invalid' }, code),
    verifyCode('too often', 'totp', { status: 'blocked', problem: 'maxAttempts' }),
    verifyCode('too late', 'sms', { status: 'blocked', problem: 'timeLimit', isSent: true }),
    verifyPasskey('waiting', { status: 'asking', canChoose: true }),
    verifyPasskey('checking', { status: 'checking', canChoose: true }),
    verifyPasskey('dismissed', { status: 'failed', problem: 'notGiven', isOver: false, canChoose: true }),
    verifyPasskey('no answer', { status: 'failed', problem: 'noPasskey', isOver: false, canChoose: true }),
    verifyPasskey('too late', { status: 'failed', problem: 'timeLimit', isOver: true, canChoose: false }),
  ],
}
