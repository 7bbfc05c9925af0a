import { definePart, defineScreen, everyWay, onlyClose } from '../../flow/screen.ts'
import { passkeyPageScreen, passkeyWindowScreen } from '../../webauthn/window/screens.ts'

const texts = async () => (await import('./texts.arb')).texts

export const passkeyEntry = definePart({
  texts,
  component: async () => (await import('./passkey-screens.tsx')).PasskeyEntry,
})

export const dialogueScreen = defineScreen({
  name: 'AWAITING_PASSKEY_SYSTEM_DIALOGUE',
  ways: ({ status }) => (status === 'success' ? onlyClose : everyWay),
  waits: ({ status }) => status === 'loading',
  texts,
  component: async () => (await import('./passkey-screens.tsx')).DialogueScreen,
})

export const linkPasskeyScreen = defineScreen({
  name: 'LINK_PASSKEY_SCREEN',
  ways: () => onlyClose,
  texts,
  component: async () => (await import('./link-passkey-screen.tsx')).LinkPasskeyScreen,
})

export const screens = [dialogueScreen, linkPasskeyScreen, passkeyWindowScreen, passkeyPageScreen] as const
