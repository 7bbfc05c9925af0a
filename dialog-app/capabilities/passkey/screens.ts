import { lazyScreen } from '../../app/screen.ts'
import { onlyClose } from '../../flow/screen.ts'
import { passkeyPageScreen, passkeyWindowScreen } from '../../webauthn/window/screens.ts'

const texts = async () => (await import('./texts.arb')).texts

export const dialogueScreen = lazyScreen({
  name: 'AWAITING_PASSKEY_SYSTEM_DIALOGUE',
  waits: true,
  texts,
  component: async () => (await import('./dialogue-screen.tsx')).DialogueScreen,
})

const linkScreen = { name: 'LINK_PASSKEY_SCREEN', ways: onlyClose, texts } as const

export const linkPasskeyScreen = lazyScreen({
  ...linkScreen,
  component: async () => (await import('./link-passkey-screen.tsx')).LinkPasskeyScreen,
})

export const passkeyAddedScreen = lazyScreen({
  ...linkScreen,
  component: async () => (await import('./link-passkey-screen.tsx')).PasskeyAdded,
})

export const screens = [
  dialogueScreen,
  linkPasskeyScreen,
  passkeyAddedScreen,
  passkeyWindowScreen,
  passkeyPageScreen,
] as const
