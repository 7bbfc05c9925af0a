import { defineScreen, everyWay, noWay, onlyClose } from '../../core/screen.ts'
import type { CloudState } from './cloud/cloud-screen.tsx'
import type { PasskeyState } from './passkey/passkey-screen.tsx'
import type { WizardState } from './wizard-screen.tsx'

const texts = async () => (await import('./texts.ts')).texts

const wizard = <const Name extends string>(name: Name) =>
  defineScreen({
    name,
    ways({ step }: WizardState) {
      if (step.at === 'done') return onlyClose
      // What is being written is out of the user's hands; that has a deadline.
      return step.at === 'finalizing' && step.status === 'setting' ? noWay : everyWay
    },
    askBeforeLeaving: ({ step }, { leave }) =>
      step.at === 'creating' || step.at === 'done' ? undefined : leave,
    texts,
    component: async () => (await import('./wizard-screen.tsx')).WizardScreen,
  })

export const passwordCreateScreen = wizard('EMBEDDED_WALLET_PASSWORD_CREATE_SCREEN')
export const passwordUpdateScreen = wizard('EMBEDDED_WALLET_PASSWORD_UPDATE_SCREEN')

export const updateSplashScreen = defineScreen({
  name: 'EMBEDDED_WALLET_PASSWORD_UPDATE_SPLASH_SCREEN',
  ways: () => onlyClose,
  texts,
  component: async () => (await import('./splash-screen.tsx')).SplashScreen,
})

export const passwordRecoveryScreen = defineScreen({
  name: 'EMBEDDED_WALLET_PASSWORD_RECOVERY_SCREEN',
  ways: ({ status }) => (status === 'recovering' ? noWay : onlyClose),
  texts,
  component: async () => (await import('./password-recovery-screen.tsx')).PasswordRecoveryScreen,
})

export const selectionScreen = defineScreen({
  name: 'EMBEDDED_WALLET_RECOVERY_SELECTION_SCREEN',
  ways: () => everyWay,
  texts,
  component: async () => (await import('./selection-screen.tsx')).SelectionScreen,
})

export const cloudScreen = defineScreen({
  name: 'EMBEDDED_WALLET_RECOVERY_OAUTH_SCREEN',
  ways({ purpose, step }: CloudState) {
    // What is being written is out of the user's hands; that has a deadline.
    if (step.at === 'working') return noWay
    return step.at === 'done' || purpose === 'recover' ? onlyClose : everyWay
  },
  texts,
  component: async () => (await import('./cloud/cloud-screen.tsx')).CloudScreen,
})

export const passkeyRecoveryScreen = defineScreen({
  name: 'EMBEDDED_WALLET_PASSKEY_RECOVERY_SCREEN',
  ways({ purpose, step }: PasskeyState) {
    // What is being written is out of the user's hands; that has a deadline.
    if (step.at === 'working') return noWay
    return step.at === 'asking' && purpose === 'set' ? everyWay : onlyClose
  },
  texts,
  component: async () => (await import('./passkey/passkey-screen.tsx')).PasskeyScreen,
})

export const tooNewScreen = defineScreen({
  name: 'EMBEDDED_WALLET_TOO_NEW_SCREEN',
  ways: () => onlyClose,
  texts,
  component: async () => (await import('./too-new-screen.tsx')).TooNewScreen,
})

export const screens = [
  passwordCreateScreen,
  passwordUpdateScreen,
  updateSplashScreen,
  passwordRecoveryScreen,
  selectionScreen,
  cloudScreen,
  passkeyRecoveryScreen,
  tooNewScreen,
] as const
