import type { LoginMethod } from '@latchkey/protocol'
import { defineScreen, everyWay } from '../../flow/screen.ts'
import type { LinkState } from './linking-screens.tsx'

const texts = async () => (await import('./texts.arb')).texts
const component = async () => (await import('./linking-screens.tsx')).LinkScreen
const parts = ({ entries }: LinkState) => entries
const ways = () => everyWay

const linkEmailScreen = defineScreen({ name: 'LINK_EMAIL_SCREEN', ways, parts, texts, component })
const linkPhoneScreen = defineScreen({ name: 'LINK_PHONE_SCREEN', ways, parts, texts, component })
const linkWalletScreen = defineScreen({ name: 'LINK_WALLET_SCREEN', ways, parts, texts, component })
/** The specification names no screen for any other account. */
const linkAccountScreen = defineScreen({ name: 'LINK_ACCOUNT_SCREEN', ways, parts, texts, component })
const linkScreens = [linkEmailScreen, linkPhoneScreen, linkWalletScreen, linkAccountScreen] as const

export const updateEmailScreen = defineScreen({ name: 'UPDATE_EMAIL_SCREEN', ways, parts, texts, component })

const ownScreens: { [method in LoginMethod]?: (typeof linkScreens)[number] } = {
  email: linkEmailScreen,
  sms: linkPhoneScreen,
  wallet: linkWalletScreen,
}
export const linkScreenOf = (method: LoginMethod) => ownScreens[method] ?? linkAccountScreen

export const unlinkScreen = defineScreen({
  name: 'UNLINK_SCREEN',
  ways,
  texts,
  component: async () => (await import('./linking-screens.tsx')).UnlinkScreen,
})

export const screens = [...linkScreens, updateEmailScreen, unlinkScreen] as const
