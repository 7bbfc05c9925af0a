import { createLatchkey } from '%LATCHKEY_DIALOG_URL%/loader/v1/latchkey.js'

// #region latchkey
const latchkey = createLatchkey({
  appId: '%LATCHKEY_APP_ID%',
  config: { embeddedWallets: { createOnLogin: 'all-users' } },
  auth: {
    async getToken() {
      const response = await fetch('/token', { method: 'POST' })
      // No user is logged in to this page.
      if (response.status === 401) return null
      if (!response.ok) throw new Error(`/token answered ${response.status}`)
      return response.text()
    },
  },
})
// #endregion latchkey

const status = document.querySelector('[role="status"]')

// #region login
async function logIn(name) {
  await fetch('/login', { method: 'POST', body: name })
  await latchkey.login()
}

async function logOut() {
  await fetch('/logout', { method: 'POST' })
  await latchkey.logout()
}
// #endregion login

async function sign() {
  const { address } = await latchkey.signMessage('Hello')
  status.textContent = `Signed by ${address}`
}

async function draw() {
  const user = await latchkey.getUser()
  const account = user?.linkedAccounts.find(({ type }) => type === 'custom_auth')
  status.textContent = account ? `Hello ${account.customUserId}` : 'Hello visitor'
}

const run = (action) => action().catch((error) => (status.textContent = error.code ?? 'failed'))

document.querySelector('form').addEventListener('submit', (event) => {
  event.preventDefault()
  run(() => logIn(new FormData(event.target).get('user')))
})
document.querySelector('#log-out').addEventListener('click', () => run(logOut))
document.querySelector('#sign').addEventListener('click', () => run(sign))
latchkey.on('hostLoginFailed', ({ code }) => (status.textContent = code))
latchkey.on('login', () => run(draw))
latchkey.on('logout', () => run(draw))
await run(draw)
