import { forget, readKept, storeText } from '../look/kept.ts'
import { byId, byTestId, shortened } from './elements.ts'
import { allowFor } from './list.ts'

/** Shows a shortened value. The full value is stored beside it for the copy button and for tests. */
const showHex = (testId: string, name: 'address' | 'signature' | 'token', value: string | undefined) => {
  const element = byTestId(testId)
  element.textContent = value === undefined ? '' : shortened(value)
  if (value === undefined) delete element.dataset[name]
  else element.dataset[name] = value
}

export const fullText = (testId: string, name: 'address' | 'signature' | 'token') =>
  byTestId(testId).dataset[name] ?? ''

export const showSignature = (signature: string | undefined) => {
  byId('signed').hidden = signature === undefined
  showHex('signature', 'signature', signature)
}

export const showToken = (token: string | undefined) => {
  showHex('access-token', 'token', token)
  byTestId('get-token').hidden = token !== undefined
}

/** The user data that this page shows. */
type ShownUser = {
  displayName: string
  wallet?: { address: string; chainType: string }
  linkedAccounts: readonly { type: string }[]
}

const accountNames: Readonly<Record<string, string>> = {
  github_oauth: 'GitHub',
  linkedin_oauth: 'LinkedIn',
  tiktok_oauth: 'TikTok',
  email: 'e-mail',
}
const getAccountName = (type: string) => {
  const plain = type.replace(/_oauth$/, '').replaceAll('_', ' ')
  return accountNames[type] ?? (plain === type ? plain : plain.slice(0, 1).toUpperCase() + plain.slice(1))
}

const showUser = ({ displayName, wallet, linkedAccounts }: ShownUser) => {
  byTestId('user-email').textContent = displayName
  byId('avatar').textContent = displayName.slice(0, 1).toUpperCase()
  byId('accounts').textContent = linkedAccounts.map(({ type }) => getAccountName(type)).join(', ')
  showHex('wallet-address', 'address', wallet?.address)
  byId('copy-address').hidden = wallet === undefined
  byTestId('create-wallet').hidden = wallet !== undefined
  allowFor(wallet?.chainType === 'ethereum' ? 'wallet' : 'user')
}

/** True if the last visit had a logged-in user. Prevents a flash of the login button. */
const wasUserKey = 'latchkey-demo:was-user'

export const showVisitor = (who: ShownUser | 'visitor' | 'unknown') => {
  const isUser = typeof who === 'object'
  const isExpected = who === 'unknown' && readKept(wasUserKey) !== null
  if (isUser) storeText(wasUserKey, 'yes')
  if (who === 'visitor') forget(wasUserKey)
  byId('enter').hidden = isUser || isExpected
  byId('account').hidden = !isUser
  if (isUser) return showUser(who)
  allowFor('visitor')
  showSignature(undefined)
  showToken(undefined)
}
