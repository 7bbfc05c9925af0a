import type { RecoveryWindowPurpose, WindowRecovery } from '@latchkey/protocol/wallet'
import { lazyScreen } from '../../app/screen.ts'
import { onlyClose } from '../../flow/screen.ts'

const texts = async () => (await import('./texts.arb')).texts
const loadWindow = () => import('./window/window-screen.tsx')

/** Leads to a wallet window in which the user enters a password or uses a passkey. */
const windowScreen = <const Name extends string>(name: Name) =>
  lazyScreen({ name, texts, component: async () => (await loadWindow()).WindowScreen })
/** Shows that the recovery method is set. */
const setScreen = <const Name extends string>(name: Name) =>
  lazyScreen({ name, texts, ways: onlyClose, component: async () => (await loadWindow()).MethodSet })

const passwordCreateScreen = windowScreen('EMBEDDED_WALLET_PASSWORD_CREATE_SCREEN')
const updateSplashScreen = windowScreen('EMBEDDED_WALLET_PASSWORD_UPDATE_SPLASH_SCREEN')
const passwordRecoveryScreen = windowScreen('EMBEDDED_WALLET_PASSWORD_RECOVERY_SCREEN')
const passkeyRecoveryScreen = windowScreen('EMBEDDED_WALLET_PASSKEY_RECOVERY_SCREEN')
const passwordCreatedScreen = setScreen('EMBEDDED_WALLET_PASSWORD_CREATE_SCREEN')
const passwordUpdatedScreen = setScreen('EMBEDDED_WALLET_PASSWORD_UPDATE_SCREEN')
const passkeySetScreen = setScreen('EMBEDDED_WALLET_PASSKEY_RECOVERY_SCREEN')

export const windowScreens = {
  'user-passcode': {
    set: passwordCreateScreen,
    update: updateSplashScreen,
    recover: passwordRecoveryScreen,
  },
  passkey: {
    set: passkeyRecoveryScreen,
    update: passkeyRecoveryScreen,
    recover: passkeyRecoveryScreen,
  },
} as const satisfies Record<WindowRecovery, Record<RecoveryWindowPurpose, object>>

export const methodSetScreens = {
  'user-passcode': { set: passwordCreatedScreen, update: passwordUpdatedScreen },
  passkey: { set: passkeySetScreen, update: passkeySetScreen },
} as const satisfies Record<WindowRecovery, object>

export const selectionScreen = lazyScreen({
  name: 'EMBEDDED_WALLET_RECOVERY_SELECTION_SCREEN',
  texts,
  component: async () => (await import('./selection-screen.tsx')).SelectionScreen,
})

const cloudName = 'EMBEDDED_WALLET_RECOVERY_OAUTH_SCREEN'
export const cloudScreen = lazyScreen({
  name: cloudName,
  texts,
  component: async () => (await import('./cloud/cloud-screen.tsx')).CloudScreen,
})
export const cloudSetScreen = lazyScreen({
  name: cloudName,
  texts,
  ways: onlyClose,
  component: async () => (await import('./cloud/cloud-screen.tsx')).CloudSet,
})

export const tooNewScreen = lazyScreen({
  name: 'EMBEDDED_WALLET_TOO_NEW_SCREEN',
  texts,
  ways: onlyClose,
  component: async () => (await import('./too-new-screen.tsx')).TooNewScreen,
})

export const screens = [
  passwordCreateScreen,
  passwordCreatedScreen,
  passwordUpdatedScreen,
  updateSplashScreen,
  passwordRecoveryScreen,
  selectionScreen,
  cloudScreen,
  cloudSetScreen,
  passkeyRecoveryScreen,
  passkeySetScreen,
  tooNewScreen,
] as const
