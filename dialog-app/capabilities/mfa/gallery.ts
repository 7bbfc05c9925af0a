import type { MfaMethodType } from '@latchkey/protocol'
import type { Gate } from '@latchkey/protocol/browser'
import { type Picture, type Pictures, picturedView, pictureHandlers } from '../../contract/picture.ts'
import { noWay } from '../../flow/screen.ts'
import { emptyPhone, parseInput } from '../../ui/fields/phone/phone-value.ts'
import { Row } from './account-entry.tsx'
import { AddedView, type AddedViewProps } from './enrol/added-screen.tsx'
import { EnrolCodeView, type EnrolCodeViewProps } from './enrol/code-screen.tsx'
import { ChoiceView, type ChoiceViewProps, IntroView, type IntroViewProps } from './enrol/enrolment-views.tsx'
import type { OfferedMethod } from './enrol/offered-methods.ts'
import { RemovalView, type RemovalViewProps } from './enrol/removal-screen.tsx'
import { emptyPasscode, type Passcode } from './passcode/passcode-reducer.ts'
import { PasskeysView, type PasskeysViewProps } from './passkey/passkeys-screen.tsx'
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
import { PhoneView, type PhoneViewProps } from './sms/lazy/phone-screen.tsx'
import { ScanView, type ScanViewProps } from './totp/lazy/scan-screen.tsx'
import { VerifyChoiceView, type VerifyChoiceViewProps } from './verify/choice-screen.tsx'
import { VerifyCodeView, type VerifyCodeViewProps } from './verify/code-screen.tsx'
import { VerifyPasskeyView, type VerifyPasskeyViewProps } from './verify/passkey-screen.tsx'

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
const intro: Picture = {
  caption: 'Transaction Protection',
  screen: picturedView(
    enrolmentScreen,
    IntroView,
    (press): IntroViewProps => ({ onContinue: press('continue'), onLater: press('later') }),
  ),
}
const choice = (caption: string, change: Partial<ChoiceViewProps>): Picture => ({
  caption: `Verification methods, ${caption}`,
  screen: picturedView(
    enrolmentScreen,
    ChoiceView,
    (press): ChoiceViewProps => ({
      methods: methods('recommended', 'offered', 'offered'),
      isVerified: false,
      opening: undefined,
      problem: undefined,
      onAdd: (method) => press('add', method)(),
      onRemove: (method) => press('remove', method)(),
      ...change,
    }),
  ),
  canGoBack: true,
})

const removal = (caption: string, change: Partial<RemovalViewProps>): Picture => {
  const isRemoving = change.status === 'removing'
  return {
    caption: `Remove${caption}`,
    screen: picturedView(
      removalScreen,
      RemovalView,
      (press, send): RemovalViewProps => ({
        method: 'totp',
        isLast: false,
        status: 'review',
        problem: undefined,
        approval: { by: 'press', gate: armed },
        handlers: pictureHandlers(press, send),
        onRetry: press('retry'),
        onKeep: press('keep'),
        ...change,
      }),
      isRemoving ? noWay : undefined,
    ),
    canGoBack: !isRemoving,
  }
}

const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
const authUrl = `otpauth://totp/Fieldnotes:mira%40fieldnotes.example?secret=${secret}&issuer=Fieldnotes`
const scan = (caption: string, isPhone = false): Picture => ({
  caption: `TOTP, ${caption}`,
  screen: picturedView(
    scanScreen,
    ScanView,
    (press): ScanViewProps => ({ secret, authUrl, isPhone, onContinue: press('continue') }),
  ),
  canGoBack: true,
})

const parsedPhone = parseInput(emptyPhone('US'), '2025550123')
const phone = (caption: string, change: Partial<PhoneViewProps>): Picture => ({
  caption: `SMS verification, ${caption}`,
  screen: picturedView(
    phoneScreen,
    PhoneView,
    (press): PhoneViewProps => ({
      isSending: false,
      initial: undefined,
      country: undefined,
      problem: undefined,
      onSubmit: (value) => press('submit', value)(),
      ...change,
    }),
  ),
  canGoBack: true,
})

const devices = ['iCloud Keychain', 'Chrome, Windows', undefined, 'Google Password Manager', '1Password']
const passkeys = (caption: string, count: number, change: Partial<PasskeysViewProps> = {}): Picture => ({
  caption: `Passkey verification, ${caption}`,
  screen: picturedView(
    passkeysScreen,
    PasskeysView,
    (press, send): PasskeysViewProps => ({
      passkeys: devices.slice(0, count).map((device, at) => ({ id: String(at), device })),
      hasRoom: count < devices.length,
      status: 'review',
      problem: undefined,
      gate: armed,
      handlers: pictureHandlers(press, send),
      onAdd: press('add'),
      ...change,
    }),
    change.status === 'enabling' ? noWay : undefined,
  ),
  canGoBack: true,
})

const code = '482913'
const entryOf = (
  passcode: Partial<Passcode>,
  press: (name: string, ...values: readonly unknown[]) => () => void,
) => ({
  passcode: { ...emptyPasscode, ...passcode },
  onEdit: press('edit'),
  onSubmit: (typed: string) => press('submit', typed)(),
  onResend: press('resend'),
})

const enrolCode = (
  caption: string,
  phoneNumber: string | undefined,
  passcode: Partial<Passcode>,
  text?: string,
): Picture => {
  const drawCode = (change: Partial<Passcode>) =>
    picturedView(
      enrolCodeScreen,
      EnrolCodeView,
      (press): EnrolCodeViewProps => ({ phoneNumber, entry: entryOf(change, press) }),
      change.status === 'checking' ? noWay : undefined,
    )
  return {
    caption: `Enrollment code, ${caption}`,
    screen: drawCode(passcode),
    canGoBack: true,
    ...(text !== undefined && { typed: { text, into: drawCode({}) } }),
  }
}
const phoneNumber = '+1 2025550123'

const added = (method: MfaMethodType): Picture => ({
  caption: `Added, ${method}`,
  screen: picturedView(
    addedScreen,
    AddedView,
    (press): AddedViewProps => ({
      method,
      hasMore: method !== 'passkey',
      onDone: press('done'),
      onAddAnother: press('another'),
    }),
  ),
})

const verifyChoice: Picture = {
  caption: 'Verify, choose',
  screen: picturedView(
    verifyChoiceScreen,
    VerifyChoiceView,
    (press): VerifyChoiceViewProps => ({
      methods: ['totp', 'sms', 'passkey'],
      onChoose: (method) => press('choose', method)(),
      onNotNow: press('notNow'),
    }),
  ),
  canGoBack: true,
}

const verifyCode = (
  caption: string,
  method: 'totp' | 'sms',
  passcode: Partial<Passcode>,
  text?: string,
): Picture => {
  const drawCode = (change: Partial<Passcode>) =>
    picturedView(
      verifyCodeScreen,
      VerifyCodeView,
      (press): VerifyCodeViewProps => ({
        method,
        entry: entryOf(change, press),
        sentTo: '*0123',
        canChoose: true,
        isOver: change.status === 'blocked',
        onOther: press('other'),
        onNotNow: press('notNow'),
      }),
      change.status === 'checking' ? noWay : undefined,
    )
  return {
    caption: `Verify, ${caption}`,
    screen: drawCode(passcode),
    canGoBack: true,
    ...(text !== undefined && { typed: { text, into: drawCode({}) } }),
  }
}

const verifyPasskey = (caption: string, change: Partial<VerifyPasskeyViewProps>): Picture => ({
  caption: `Verify by passkey, ${caption}`,
  screen: picturedView(
    verifyPasskeyScreen,
    VerifyPasskeyView,
    (press): VerifyPasskeyViewProps => ({
      status: 'failed',
      problem: undefined,
      canChoose: true,
      isOver: false,
      onRetry: press('again'),
      onOther: press('other'),
      onNotNow: press('notNow'),
      ...change,
    }),
    change.status === 'checking' ? noWay : undefined,
  ),
  canGoBack: true,
})

export const pictures: Pictures = {
  account: [Row],
  screens: [
    intro,
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
    scan('scan'),
    scan('on a phone', true),
    phone('number', {}),
    phone('sending', { initial: parsedPhone, isSending: true }),
    phone('not sent', { initial: parsedPhone, problem: 'unknown' }),
    passkeys('none yet', 0),
    passkeys('adding the first', 0, { status: 'adding' }),
    passkeys('adding one more', 3, { status: 'adding' }),
    passkeys('refused by the device', 0, { problem: 'passkeyNotAllowed' }),
    passkeys('three', 3),
    passkeys('arming', 3, { gate: gate('arming') }),
    passkeys('covered', 2, { gate: gate('hidden') }),
    passkeys('five', 5),
    passkeys('enabling', 2, { status: 'enabling' }),
    enrolCode('app', undefined, {}, '482'),
    enrolCode('app, wrong', undefined, { status: 'wrong', problem: 'invalid' }, code),
    enrolCode('message', phoneNumber, { resend: 'locked', isSent: true }),
    enrolCode('message, again', phoneNumber, { resend: 'available', isSent: true }),
    enrolCode('checking', undefined, { status: 'checking' }, code),
    added('totp'),
    added('sms'),
    added('passkey'),
    removal(' totp', {}),
    removal(' sms, the last', { method: 'sms', isLast: true }),
    removal(' passkey', { method: 'passkey' }),
    removal(' totp, not verified', { problem: 'canceled' }),
    removal(', removing', { isLast: true, status: 'removing' }),
    removal(', on a page of its own', {
      approval: { by: 'page', reason: 'browser', way: { at: 'nowhere' } },
    }),
    removal(', not confirmed', { status: 'stopped', problem: 'unknown' }),
    verifyChoice,
    verifyCode('app', 'totp', {}, '482'),
    verifyCode('message on its way', 'sms', { resend: 'sending' }),
    verifyCode('message', 'sms', { resend: 'locked', isSent: true }),
    verifyCode('message not sent', 'sms', { resend: 'available', problem: 'other' }),
    verifyCode('not a number', 'totp', {}, '4x'),
    verifyCode('checking', 'totp', { status: 'checking' }, code),
    verifyCode('wrong', 'totp', { status: 'wrong', problem: 'invalid' }, code),
    verifyCode('too often', 'totp', { status: 'blocked', problem: 'maxAttempts' }),
    verifyCode('too late', 'sms', { status: 'blocked', problem: 'timeLimit', isSent: true }),
    verifyPasskey('waiting', { status: 'asking' }),
    verifyPasskey('checking', { status: 'checking' }),
    verifyPasskey('dismissed', { problem: 'notGiven' }),
    verifyPasskey('no answer', { problem: 'noPasskey' }),
    verifyPasskey('too late', { problem: 'timeLimit', isOver: true, canChoose: false }),
  ],
}
