import { lazyScreen } from '../../app/screen.ts'
import { onlyClose } from '../../flow/screen.ts'

const texts = async () => (await import('./texts.arb')).texts

/** Shows the intro or the methods. */
export const enrolmentScreen = lazyScreen({
  name: 'MFA_ENROLLMENT_FLOW_SCREEN',
  component: async () => (await import('./enrol/enrolment-screen.tsx')).EnrolmentScreen,
  texts,
})

export const removalScreen = lazyScreen({
  name: 'MFA_REMOVAL_SCREEN',
  component: async () => (await import('./enrol/removal-screen.tsx')).RemovalScreen,
  texts,
})

export const phoneScreen = lazyScreen({
  name: 'MFA_SMS_SCREEN',
  component: async () => (await import('./sms/lazy/phone-screen.tsx')).PhoneScreen,
  texts,
})

export const scanScreen = lazyScreen({
  name: 'MFA_TOTP_SCREEN',
  component: async () => (await import('./totp/lazy/scan-screen.tsx')).ScanScreen,
  texts,
})

export const passkeysScreen = lazyScreen({
  name: 'MFA_PASSKEY_SCREEN',
  component: async () => (await import('./passkey/passkeys-screen.tsx')).PasskeysScreen,
  texts,
})

export const enrolCodeScreen = lazyScreen({
  name: 'MFA_ENROLLMENT_CODE_SCREEN',
  component: async () => (await import('./enrol/code-screen.tsx')).EnrolCodeScreen,
  texts,
})

export const addedScreen = lazyScreen({
  name: 'MFA_ADDED_SCREEN',
  ways: onlyClose,
  component: async () => (await import('./enrol/added-screen.tsx')).AddedScreen,
  texts,
})

export const verifyChoiceScreen = lazyScreen({
  name: 'MFA_VERIFY_CHOICE_SCREEN',
  component: async () => (await import('./verify/choice-screen.tsx')).VerifyChoiceScreen,
  texts,
})

export const verifyCodeScreen = lazyScreen({
  name: 'MFA_VERIFY_CODE_SCREEN',
  component: async () => (await import('./verify/code-screen.tsx')).VerifyCodeScreen,
  texts,
})

export const verifyPasskeyScreen = lazyScreen({
  name: 'MFA_VERIFY_PASSKEY_SCREEN',
  component: async () => (await import('./verify/passkey-screen.tsx')).VerifyPasskeyScreen,
  texts,
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
