// Telegram.Login.auth of our own, for the window of a login: it goes to Telegram's page and, back here, gives what that
// page put behind the '#' of the address. Nothing of Telegram's runs on this origin.
;(() => {
  const { dataset } = document.currentScript

  /** Undefined where the address says nothing; false where it names nobody. */
  const resultInAddress = () => {
    const [, encoded] = /^#tgAuthResult=(.*)$/.exec(location.hash) ?? []
    if (encoded === undefined) return undefined
    try {
      const bytes = Uint8Array.from(atob(encoded.replaceAll('-', '+').replaceAll('_', '/')), (letter) =>
        letter.charCodeAt(0),
      )
      return JSON.parse(new TextDecoder().decode(bytes))
    } catch {
      return false
    }
  }

  const auth = ({ bot_id, request_access, lang, return_to }, callback) => {
    const result = resultInAddress()
    if (result !== undefined || return_to === undefined) {
      history.replaceState(null, '', location.pathname)
      callback(result ?? false)
      return
    }
    const query = new URLSearchParams({ bot_id, origin: location.origin, request_access, lang, return_to })
    location.replace(`${dataset.telegramOrigin}/auth?${query}`)
  }
  window.Telegram = { Login: { auth } }

  const { botId, requestAccess, lang, returnTo, answerTo } = dataset
  auth({ bot_id: botId, request_access: requestAccess, lang, return_to: returnTo }, (result) => {
    const form = document.createElement('form')
    form.method = 'post'
    form.action = answerTo
    const field = document.createElement('input')
    field.type = 'hidden'
    field.name = 'result'
    field.value = JSON.stringify(result)
    form.append(field)
    document.body.append(form)
    form.submit()
  })
})()
