import { definePart, defineScreen, everyWay, onlyClose } from '../../flow/screen.ts'
import type { AwaitingState } from './screens/awaiting-screen.tsx'
import type { ConnectOnlyState, PayFromState } from './screens/choice-screens.tsx'

const texts = async () => (await import('./texts.arb')).texts

export const walletRow = definePart({
  texts,
  component: async () => (await import('./screens/wallet-row.tsx')).WalletRow,
})

/** What the wallet signed is being used, or was: there is no way back from that. */
const isSigned = ({ step: { status } }: AwaitingState) =>
  status === 'signing' || status === 'success' || status === 'connected' || status === 'paid'
const waysOfAwaiting = (state: AwaitingState) => (isSigned(state) ? onlyClose : everyWay)
/** A code to scan is nothing to wait for; a wallet in this browser may answer at once. */
const waits = ({ step }: AwaitingState) =>
  step.status === 'connecting' ? !step.meeting : asking.includes(step.status)
const asking: readonly AwaitingState['step']['status'][] = ['switching', 'sign', 'signing', 'pay']
const awaiting = async () => (await import('./screens/awaiting-screen.tsx')).AwaitingScreen

export const awaitingScreen = defineScreen({
  name: 'AWAITING_CONNECTION',
  ways: waysOfAwaiting,
  waits,
  texts,
  component: awaiting,
})

export const awaitingConnectOnlyScreen = defineScreen({
  name: 'AWAITING_CONNECT_ONLY_CONNECTION',
  ways: waysOfAwaiting,
  waits,
  texts,
  component: awaiting,
})

const connectOnly = async () => (await import('./screens/choice-screens.tsx')).ConnectOnlyScreen
const parts = ({ entries }: ConnectOnlyState) => entries
const everyOne = { ways: () => everyWay, parts, texts, component: connectOnly }

export const connectOnlyScreen = defineScreen({ name: 'CONNECT_ONLY_LANDING_SCREEN', ...everyOne })
export const connectOnlyUserScreen = defineScreen({ name: 'CONNECT_ONLY_AUTHENTICATED_SCREEN', ...everyOne })

export const payFromScreen = defineScreen({
  name: 'PAY_FROM_WALLET_SCREEN',
  ways: () => everyWay,
  parts: ({ entries }: PayFromState) => entries,
  texts,
  component: async () => (await import('./screens/choice-screens.tsx')).PayFromScreen,
})

export const awaitingPaymentScreen = defineScreen({
  name: 'AWAITING_PAYMENT_SCREEN',
  ways: waysOfAwaiting,
  waits,
  texts,
  component: awaiting,
})

export const installScreen = defineScreen({
  name: 'WALLET_INSTALL_SCREEN',
  ways: () => everyWay,
  texts,
  component: async () => (await import('./screens/absent-wallet-screens.tsx')).InstallScreen,
})

export const phoneScreen = defineScreen({
  name: 'WALLET_MOBILE_SCREEN',
  ways: () => everyWay,
  texts,
  component: async () => (await import('./screens/absent-wallet-screens.tsx')).PhoneScreen,
})

export const failedScreen = defineScreen({
  name: 'LOGIN_FAILED_SCREEN',
  ways: () => onlyClose,
  texts,
  component: async () => (await import('./screens/awaiting-screen.tsx')).FailedScreen,
})

export const screens = [
  awaitingScreen,
  connectOnlyScreen,
  connectOnlyUserScreen,
  awaitingConnectOnlyScreen,
  payFromScreen,
  awaitingPaymentScreen,
  installScreen,
  phoneScreen,
  failedScreen,
] as const
