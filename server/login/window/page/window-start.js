// Asks the dialog that opened this window whether it did, and posts what it signs. The dialog is on this very origin:
// nobody else is asked, and nobody else is heard.
;(() => {
  const { question, answer, waitMs } = document.currentScript.dataset
  const asked = JSON.parse(question)
  const { opener } = window
  if (!opener) {
    const address = new URL(location.href)
    address.searchParams.set('by', 'digits')
    location.replace(address)
    return
  }

  const ask = () => opener.postMessage(asked, location.origin)
  // The dialog may not listen yet, and answers once the server knows of this window.
  const asking = setInterval(ask, 500)
  const late = setTimeout(() => {
    end()
    for (const element of document.querySelectorAll('[data-late], [data-early]'))
      element.hidden = !element.hidden
  }, Number(waitMs))
  const end = () => {
    clearInterval(asking)
    clearTimeout(late)
    removeEventListener('message', hear)
  }
  const hear = ({ origin, source, data }) => {
    if (source !== opener || origin !== location.origin) return
    if (data?.type !== answer || data.handle !== asked.handle || typeof data.signature !== 'string') return
    end()
    const form = document.createElement('form')
    form.method = 'post'
    const field = document.createElement('input')
    field.type = 'hidden'
    field.name = 'signature'
    field.value = data.signature
    form.append(field)
    document.body.append(form)
    form.submit()
  }
  addEventListener('message', hear)
  ask()
})()
