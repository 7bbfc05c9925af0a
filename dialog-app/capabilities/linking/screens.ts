import type { LoginMethod } from '@latchkey/protocol'
import { lazyScreen } from '../../app/screen.ts'
import type { LinkScreenProps } from './linking-screens.tsx'

const texts = async () => (await import('./texts.arb')).texts
const component = async () => (await import('./linking-screens.tsx')).LinkScreen
const parts = ({ methods }: LinkScreenProps) => methods.entries()

const linkEmailScreen = lazyScreen({ name: 'LINK_EMAIL_SCREEN', parts, texts, component })
const linkPhoneScreen = lazyScreen({ name: 'LINK_PHONE_SCREEN', parts, texts, component })
const linkWalletScreen = lazyScreen({ name: 'LINK_WALLET_SCREEN', parts, texts, component })
/** The specification names no screen for any other account. */
const linkAccountScreen = lazyScreen({ name: 'LINK_ACCOUNT_SCREEN', parts, texts, component })
const linkScreens = [linkEmailScreen, linkPhoneScreen, linkWalletScreen, linkAccountScreen] as const

export const updateEmailScreen = lazyScreen({ name: 'UPDATE_EMAIL_SCREEN', parts, texts, component })

const ownScreens: { [method in LoginMethod]?: (typeof linkScreens)[number] } = {
  email: linkEmailScreen,
  sms: linkPhoneScreen,
  wallet: linkWalletScreen,
}
export const linkScreenOf = (method: LoginMethod) => ownScreens[method] ?? linkAccountScreen

export const unlinkScreen = lazyScreen({
  name: 'UNLINK_SCREEN',
  texts,
  component: async () => (await import('./linking-screens.tsx')).UnlinkScreen,
})

export const screens = [...linkScreens, updateEmailScreen, unlinkScreen] as const
