import type { RecoveryWindowPurpose, WindowRecovery } from '@latchkey/protocol/wallet'
import { defineScreen, everyWay, noWay, onlyClose } from '../../flow/screen.ts'
import type { CloudState } from './cloud/cloud-screen.tsx'
import type { WindowState } from './window/window-screen.tsx'

const texts = async () => (await import('./texts.arb')).texts

/** The card leads to a window of the wallet's origin, in which something is given, and waits. */
const byWindow = <const Name extends string>(name: Name) =>
  defineScreen({
    name,
    ways: ({ step, purpose }: WindowState) =>
      step.at === 'done' || purpose === 'recover' ? onlyClose : everyWay,
    texts,
    component: async () => (await import('./window/window-screen.tsx')).WindowScreen,
  })

export const passwordCreateScreen = byWindow('EMBEDDED_WALLET_PASSWORD_CREATE_SCREEN')
export const passwordUpdateScreen = byWindow('EMBEDDED_WALLET_PASSWORD_UPDATE_SCREEN')
export const updateSplashScreen = byWindow('EMBEDDED_WALLET_PASSWORD_UPDATE_SPLASH_SCREEN')
export const passwordRecoveryScreen = byWindow('EMBEDDED_WALLET_PASSWORD_RECOVERY_SCREEN')
export const passkeyRecoveryScreen = byWindow('EMBEDDED_WALLET_PASSKEY_RECOVERY_SCREEN')

/** Until a password has taken the place of another one, there is a screen that says so. */
export function windowScreenOf(
  method: WindowRecovery,
  purpose: RecoveryWindowPurpose,
  at: WindowState['step']['at'],
) {
  if (method === 'passkey') return passkeyRecoveryScreen
  if (purpose === 'recover') return passwordRecoveryScreen
  if (purpose === 'set') return passwordCreateScreen
  return at === 'done' ? passwordUpdateScreen : updateSplashScreen
}

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
  waits: ({ step }: CloudState) => step.at === 'working',
  texts,
  component: async () => (await import('./cloud/cloud-screen.tsx')).CloudScreen,
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
