import { lazyScreen } from '../../app/screen.ts'
import { onlyClose } from '../../flow/screen.ts'

const texts = async () => (await import('./texts.arb')).texts
const loadAwaiting = () => import('./screens/awaiting-screen.tsx')
const loadChoices = () => import('./screens/choice-screens.tsx')
const loadAbsent = () => import('./screens/absent-wallet-screens.tsx')

/** Shows the connection to a wallet, up to its use. */
const awaiting = { waits: true, texts, component: async () => (await loadAwaiting()).AwaitingScreen } as const

export const awaitingScreen = lazyScreen({ name: 'AWAITING_CONNECTION', ...awaiting })
const connectOnlyName = 'AWAITING_CONNECT_ONLY_CONNECTION'
export const awaitingConnectOnlyScreen = lazyScreen({ name: connectOnlyName, ...awaiting })
export const awaitingPaymentScreen = lazyScreen({ name: 'AWAITING_PAYMENT_SCREEN', ...awaiting })

/** Shows that the wallet asks about a request of the page. */
export const requestScreen = lazyScreen({
  name: connectOnlyName,
  texts,
  component: async () => (await loadAwaiting()).RequestScreen,
})

const connectOnly = { texts, component: async () => (await loadChoices()).ConnectOnlyScreen } as const
export const connectOnlyScreen = lazyScreen({ name: 'CONNECT_ONLY_LANDING_SCREEN', ...connectOnly })
export const connectOnlyUserScreen = lazyScreen({ name: 'CONNECT_ONLY_AUTHENTICATED_SCREEN', ...connectOnly })

export const payFromScreen = lazyScreen({
  name: 'PAY_FROM_WALLET_SCREEN',
  texts,
  component: async () => (await loadChoices()).PayFromScreen,
})

export const installScreen = lazyScreen({
  name: 'WALLET_INSTALL_SCREEN',
  texts,
  component: async () => (await loadAbsent()).InstallScreen,
})

export const phoneScreen = lazyScreen({
  name: 'WALLET_MOBILE_SCREEN',
  texts,
  component: async () => (await loadAbsent()).PhoneScreen,
})

export const failedScreen = lazyScreen({
  name: 'LOGIN_FAILED_SCREEN',
  ways: onlyClose,
  texts,
  component: async () => (await loadAwaiting()).FailedScreen,
})

export const screens = [
  awaitingScreen,
  connectOnlyScreen,
  connectOnlyUserScreen,
  awaitingConnectOnlyScreen,
  requestScreen,
  payFromScreen,
  awaitingPaymentScreen,
  installScreen,
  phoneScreen,
  failedScreen,
] as const
