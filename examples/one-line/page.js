const greeting = document.querySelector('#greeting')
const logInButton = document.querySelector('#log-in')
const logOutButton = document.querySelector('#log-out')

async function draw() {
  const user = await latchkey.getUser()
  greeting.textContent = user ? `Hello ${user.displayName}` : ''
  logInButton.hidden = user !== null
  logOutButton.hidden = user === null
}

async function logIn() {
  try {
    await latchkey.login()
  } catch (error) {
    // Closing the dialog is the user's decision, not an error.
    if (error.code !== 'exited_auth_flow') throw error
  }
}

logInButton.addEventListener('click', logIn)
logOutButton.addEventListener('click', () => latchkey.logout())

// Includes logins and logouts in other tabs.
latchkey.on('login', draw)
latchkey.on('logout', draw)
await draw()
