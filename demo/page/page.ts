import { fullText, showSignature, showToken, showVisitor } from './account.ts'
import { whileBusy } from './busy.ts'
import { type SampleForm, sampleText, showSample, startSampleTabs } from './code-sample.ts'
import { copiesOnClick } from './copy-button.ts'
import { announce, button, byId, shortened, textArea } from './elements.ts'
import { logEvent } from './event-log.ts'
import { clearFailure, showFailure } from './failure.ts'
import { appId, configFor, dialogUrl, startLatchkey } from './latchkey.ts'
import { startLook } from './look.ts'

let form: SampleForm = 'module'
let look = startLook((next) => {
  look = next
  showSample(form, { appId, dialogUrl, look })
  latchkey.setConfig(configFor(look)).catch((error: unknown) => showFailure('setConfig() rejected', error))
})
const latchkey = startLatchkey(look)

/** Every call of this page goes the same way: busy button, log entry, and the error with its code. */
const call = (name: string, pressed: HTMLButtonElement, action: () => Promise<string>) =>
  whileBusy(pressed, async () => {
    clearFailure()
    logEvent({ kind: 'call', name: `${name}()` })
    try {
      logEvent({ kind: 'call', name: `${name}() resolved`, detail: await action() })
    } catch (error) {
      showFailure(`${name}() rejected`, error)
    }
  })

type User = Awaited<ReturnType<typeof latchkey.getUser>>

/** What a user is called here: by what they logged in with. */
const nameOf = ({ id, email, phone }: NonNullable<User>) => email?.address ?? phone?.number ?? id

const showUser = (user: User) =>
  showVisitor(
    user === null
      ? { state: 'visitor' }
      : { state: 'user', name: nameOf(user), address: user.wallet?.address },
  )

latchkey.on('ready', async ({ authenticated }) => {
  logEvent({ kind: 'event', name: 'ready', detail: authenticated ? 'logged in' : 'nobody logged in' })
  await latchkey.getUser().then(showUser, (error: unknown) => showFailure('getUser', error))
})
latchkey.on('login', ({ user }) => {
  logEvent({ kind: 'event', name: 'login', detail: nameOf(user) })
  showUser(user)
})
latchkey.on('logout', () => {
  logEvent({ kind: 'event', name: 'logout' })
  showUser(null)
})
latchkey.on('user', ({ user }) => {
  logEvent({
    kind: 'event',
    name: 'user',
    detail: user === null ? 'nobody' : `${user.linkedAccounts.length} accounts`,
  })
  showUser(user)
})
for (const name of ['open', 'close'] as const) {
  latchkey.on(name, () => logEvent({ kind: 'event', name }))
}
latchkey.on('token', ({ type }) => logEvent({ kind: 'event', name: 'token', detail: type }))
latchkey.on('error', ({ error }) => {
  showFailure('error', error)
  showVisitor({ state: 'visitor' })
})

const loginButton = button('login')
loginButton.addEventListener('click', () =>
  call('login', loginButton, async () => {
    const { user, isNewUser } = await latchkey.login()
    announce(`Logged in as ${nameOf(user)}`)
    return isNewUser ? 'a new user' : 'a user who was here before'
  }),
)

const logoutButton = button('logout')
logoutButton.addEventListener('click', () =>
  call('logout', logoutButton, async () => {
    await latchkey.logout()
    announce('Logged out')
    loginButton.focus()
    return ''
  }),
)

const walletButton = button('create-wallet')
walletButton.addEventListener('click', () =>
  call('createWallet', walletButton, async () => shortened((await latchkey.createWallet()).address)),
)

const tokenButton = button('get-token')
tokenButton.addEventListener('click', () =>
  call('getAccessToken', tokenButton, async () => {
    const token = await latchkey.getAccessToken()
    showToken(token ?? undefined)
    return token === null ? 'none' : 'a token for the host’s own server'
  }),
)

const signButton = button('sign')
byId('signing').addEventListener('submit', (event) => {
  event.preventDefault()
  call('signMessage', signButton, async () => {
    showSignature(undefined)
    const { signature } = await latchkey.signMessage(textArea('sign-input').value)
    showSignature(signature)
    announce('Signed')
    return shortened(signature)
  })
})

button('dismiss').addEventListener('click', clearFailure)
copiesOnClick(button('copy-address'), () => fullText('wallet-address', 'address'))
copiesOnClick(button('copy-signature'), () => fullText('signature', 'signature'))
copiesOnClick(button('copy-code'), sampleText)
startSampleTabs((next) => {
  form = next
  showSample(form, { appId, dialogUrl, look })
})
showSample(form, { appId, dialogUrl, look })
showVisitor({ state: 'unknown' })
