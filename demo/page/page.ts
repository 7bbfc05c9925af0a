import * as login from '../calls/login.ts'
import * as more from '../calls/more.ts'
import * as wallet from '../calls/wallet.ts'
import { latchkey } from '../latchkey.ts'
import { onLook, settings } from '../look/look.ts'
import { fullText, showSignature, showToken, showVisitor } from './account.ts'
import { announce, button, byId, copiesOnClick, whileBusy } from './elements.ts'
import { logEvent } from './event-log.ts'
import { clearFailure, showFailure } from './failure.ts'
import { showThings } from './list.ts'
import { showCode, shownCode } from './shown-code.ts'
import { showSurroundings } from './surroundings.ts'
import { isMethod, methodNames } from './things.ts'

const configure = () =>
  latchkey.setConfig(settings()).catch((error: unknown) => showFailure('setConfig() rejected', error))
onLook(configure)

/** Runs a call of this page: shows its code and progress, logs it, and shows its error. */
const call = (name: string, pressed: HTMLButtonElement, action: () => Promise<unknown>) =>
  whileBusy(pressed, async () => {
    clearFailure()
    showCode(name)
    logEvent({ kind: 'call', name: `${name}()` })
    try {
      const result = await action()
      logEvent({ kind: 'call', name: `${name}() resolved`, detail: String(result ?? '') })
    } catch (error) {
      showFailure(`${name}() rejected`, error)
    }
  })

type User = Awaited<ReturnType<typeof latchkey.getUser>>
const showUser = (user: User) => showVisitor(user ?? 'visitor')

latchkey.on('ready', async ({ authenticated }) => {
  logEvent({ kind: 'event', name: 'ready', detail: authenticated ? 'logged in' : 'nobody logged in' })
  await latchkey.getUser().then(showUser, (error: unknown) => showFailure('getUser', error))
})
latchkey.on('login', ({ user }) => {
  logEvent({ kind: 'event', name: 'login', detail: user.displayName })
  showUser(user)
})
latchkey.on('logout', () => {
  logEvent({ kind: 'event', name: 'logout' })
  showUser(null)
})
latchkey.on('user', ({ user }) => {
  const detail = user === null ? 'nobody' : `${user.linkedAccounts.length} accounts`
  logEvent({ kind: 'event', name: 'user', detail })
  showUser(user)
})
for (const name of ['open', 'close'] as const) {
  latchkey.on(name, () => logEvent({ kind: 'event', name }))
}
latchkey.on('token', ({ type }) => logEvent({ kind: 'event', name: 'token', detail: type }))
latchkey.on('chainChanged', ({ chainId }) =>
  logEvent({ kind: 'event', name: 'chainChanged', detail: String(chainId) }),
)
latchkey.on('error', ({ error }) => {
  showFailure('error', error)
  showVisitor('visitor')
})

const loginButton = button('login')
loginButton.addEventListener('click', () =>
  call('logIn', loginButton, async () => {
    const text = await login.logIn()
    announce(`Logged in as ${text}`)
    return text
  }),
)

// Logs in with one method only, then restores the page's configuration.
for (const [method, label] of methodNames) {
  const one = Object.assign(document.createElement('button'), { type: 'button', className: 'chip' })
  one.append(Object.assign(document.createElement('span'), { textContent: label }))
  one.addEventListener('click', () =>
    call('logInBy', one, async () => {
      if (!isMethod(method)) return
      await login.logInBy(method).finally(configure)
    }),
  )
  byId('methods').append(one)
}

const logoutButton = button('logout')
logoutButton.addEventListener('click', () =>
  call('logOut', logoutButton, async () => {
    await login.logOut()
    announce('Logged out')
    loginButton.focus()
  }),
)

const walletButton = button('create-wallet')
walletButton.addEventListener('click', () => call('createWallet', walletButton, wallet.createWallet))

const tokenButton = button('get-token')
tokenButton.addEventListener('click', () =>
  call('accessToken', tokenButton, async () => {
    const token = await more.accessToken()
    showToken(token)
    return 'a token for the server of this page'
  }),
)

showThings(async ({ name, run }, pressed, value) => {
  if (name === 'signMessage') showSignature(undefined)
  await call(name, pressed, async () => {
    const result = await run(value)
    if (name === 'signMessage') {
      showSignature(String(result))
      announce('Signed')
    }
    if (name === 'logInForSolana') await configure()
    return result
  })
})

button('dismiss').addEventListener('click', clearFailure)
copiesOnClick(button('copy-address'), () => fullText('wallet-address', 'address'))
copiesOnClick(button('copy-signature'), () => fullText('signature', 'signature'))
copiesOnClick(button('copy-code'), shownCode)
showSurroundings()
showCode('logIn')
showVisitor('unknown')
