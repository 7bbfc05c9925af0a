import { defineScreen, everyWay, noWay, onlyClose } from '../../flow/screen.ts'

const texts = async () => (await import('./texts.arb')).texts

/** The screen shows the intro, and then the methods. */
export const enrolmentScreen = defineScreen({
  name: 'MFA_ENROLLMENT_FLOW_SCREEN',
  ways: () => everyWay,
  texts,
  component: async () => (await import('./enrol/enrolment-screen.tsx')).EnrolmentScreen,
})

export const removalScreen = defineScreen({
  name: 'MFA_REMOVAL_SCREEN',
  ways: ({ status }) => (status === 'removing' ? noWay : everyWay),
  texts,
  component: async () => (await import('./enrol/removal-screen.tsx')).RemovalScreen,
})

export const phoneScreen = defineScreen({
  name: 'MFA_SMS_SCREEN',
  ways: () => everyWay,
  texts,
  component: async () => (await import('./sms/lazy/phone-screen.tsx')).PhoneScreen,
})

export const scanScreen = defineScreen({
  name: 'MFA_TOTP_SCREEN',
  ways: () => everyWay,
  askBeforeLeaving: (_, { leave }) => leave,
  texts,
  component: async () => (await import('./totp/lazy/scan-screen.tsx')).ScanScreen,
})

export const passkeysScreen = defineScreen({
  name: 'MFA_PASSKEY_SCREEN',
  ways: ({ status }) => (status === 'enabling' ? noWay : everyWay),
  texts,
  component: async () => (await import('./passkey/passkeys-screen.tsx')).PasskeysScreen,
})

export const enrolCodeScreen = defineScreen({
  name: 'MFA_ENROLLMENT_CODE_SCREEN',
  ways: ({ passcode: { status } }) => (status === 'checking' ? noWay : everyWay),
  askBeforeLeaving: (_, { leave }) => leave,
  texts,
  component: async () => (await import('./enrol/code-screen.tsx')).EnrolCodeScreen,
})

export const addedScreen = defineScreen({
  name: 'MFA_ADDED_SCREEN',
  ways: () => onlyClose,
  texts,
  component: async () => (await import('./enrol/added-screen.tsx')).AddedScreen,
})

export const verifyChoiceScreen = defineScreen({
  name: 'MFA_VERIFY_CHOICE_SCREEN',
  ways: () => everyWay,
  texts,
  component: async () => (await import('./verify/choice-screen.tsx')).VerifyChoiceScreen,
})

export const verifyCodeScreen = defineScreen({
  name: 'MFA_VERIFY_CODE_SCREEN',
  // What it verifies is under way with the code; that has a deadline.
  ways: ({ passcode: { status } }) => (status === 'checking' || status === 'done' ? noWay : everyWay),
  texts,
  component: async () => (await import('./verify/code-screen.tsx')).VerifyCodeScreen,
})

export const verifyPasskeyScreen = defineScreen({
  name: 'MFA_VERIFY_PASSKEY_SCREEN',
  ways: ({ status }) => (status === 'checking' ? noWay : everyWay),
  texts,
  component: async () => (await import('./verify/passkey-screen.tsx')).VerifyPasskeyScreen,
})

export const screens = [
  enrolmentScreen,
  removalScreen,
  phoneScreen,
  scanScreen,
  passkeysScreen,
  enrolCodeScreen,
  addedScreen,
  verifyChoiceScreen,
  verifyCodeScreen,
  verifyPasskeyScreen,
] as const
