import { button, byId, byTestId, shortened } from './elements.ts'
import { forget, keep, readKept } from './kept.ts'

/** What this page knows of the user: nothing yet, nobody, or somebody. */
export type Visitor =
  | { readonly state: 'unknown' }
  | { readonly state: 'visitor' }
  | { readonly state: 'user'; readonly name: string; readonly address: string | undefined }

/** The full text goes with the shortened one, for the copy button and for whoever inspects the page. */
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

const showUser = (name: string, address: string | undefined) => {
  byTestId('user-email').textContent = name
  for (const avatar of document.querySelectorAll('.avatar'))
    avatar.textContent = name.slice(0, 1).toUpperCase()
  showHex('wallet-address', 'address', address)
  byId('copy-address').hidden = address === undefined
  byTestId('create-wallet').hidden = address !== undefined
  button('sign').disabled = address === undefined
}

/** Somebody who was logged in the last time is not shown a login button that goes away again. */
const lastTime = 'fieldnotes:was-user'

export const showVisitor = (visitor: Visitor) => {
  const isUser = visitor.state === 'user'
  const isExpected = visitor.state === 'unknown' && readKept(lastTime) !== null
  if (isUser) keep(lastTime, 'yes')
  if (visitor.state === 'visitor') forget(lastTime)
  byId('enter').hidden = isUser || isExpected
  byId('inbox').hidden = isUser || byTestId('inbox').getAttribute('href') === ''
  byId('welcome').hidden = !isUser
  byId('sample').hidden = isUser
  byId('account').hidden = !isUser
  if (isUser) return showUser(visitor.name, visitor.address)
  showSignature(undefined)
  showToken(undefined)
}
