// Everything that a page without a build needs. The async script above may load before or after this one.

const part = (id) => document.getElementById(id)

const ready = new Promise((resolve) => {
  if (window.latchkey) resolve(window.latchkey)
  else document.querySelector('script[data-app-id]').addEventListener('load', () => resolve(window.latchkey))
})

const showUser = (user) => {
  part('user').textContent = user?.email?.address ?? user?.id ?? 'nobody'
  part('login').hidden = Boolean(user)
  part('logout').hidden = !user
}

/** Codes of cancellations, which are not shown as errors. */
const decisions = ['exited_auth_flow', 'call_cancelled']

const showError = (error) => {
  if (decisions.includes(error.code)) return
  const [code, message] = part('error').querySelectorAll('code, span')
  code.textContent = error.code ?? error.name
  message.textContent = error.message
  part('error').hidden = false
}

const call = async (action) => {
  part('error').hidden = true
  try {
    await action(await ready)
  } catch (error) {
    showError(error)
  }
}

part('login').addEventListener('click', () =>
  call(async (latchkey) => showUser((await latchkey.login()).user)),
)
part('logout').addEventListener('click', () =>
  call(async (latchkey) => {
    await latchkey.logout()
    showUser(null)
  }),
)
call(async (latchkey) => showUser(await latchkey.getUser()))
