// The inbox page: a list and a reader, updated by the server-sent events of the sandbox. The URL fragment
// names the open message, so that reload and back navigation keep it.

const $ = (id) => document.getElementById(id)
const parts = ['html', 'text', 'source']

let messages = []
let part = 'html'
let shown

const element = (tag, properties = {}, ...children) => {
  const made = Object.assign(document.createElement(tag), properties)
  made.append(...children)
  return made
}

const timeOf = (iso) => {
  const date = new Date(iso)
  const today = date.toDateString() === new Date().toDateString()
  return today ? date.toLocaleTimeString() : date.toLocaleString()
}

/** Returns the sign-in code of a message, which most visitors look for. */
const codeOf = ({ subject, text }) => /(?<![\w#])\d{6}(?!\w)/.exec(`${subject}\n${text}`)?.[0]

const openId = () => location.hash.slice(1)

const matches = (message) => {
  const wanted = $('filter').value.trim().toLowerCase()
  return [...message.to, message.from, message.subject].some((text) => text.toLowerCase().includes(wanted))
}

const row = (message) => {
  const code = codeOf(message)
  const link = element(
    'a',
    { href: `#${message.id}` },
    element('span', { className: 'address', textContent: message.to.join(', ') }),
    element('time', { dateTime: message.receivedAt, textContent: timeOf(message.receivedAt) }),
    element('span', { className: 'subject', textContent: message.subject || '(no subject)' }),
  )
  if (code !== undefined) link.append(element('span', { className: 'chip', textContent: code }))
  if (message.id === openId()) link.ariaCurrent = 'true'
  return element('li', {}, link)
}

const showList = () => {
  const found = messages.filter(matches)
  const focused = document.activeElement?.closest('#list a')?.getAttribute('href')
  $('rows').replaceChildren(...found.map(row))
  if (focused) $('rows').querySelector(`a[href="${focused}"]`)?.focus()
  $('empty').hidden = found.length > 0
  $('empty-title').textContent = messages.length === 0 ? 'No mail yet' : 'Nothing found'
  $('empty-text').textContent =
    messages.length === 0
      ? 'Every mail and text message that is sent on this machine shows up here at once. Nothing leaves this machine.'
      : 'No message has this in its address or subject.'
  $('hint').hidden = shown !== undefined || found.length === 0
  $('clear').hidden = messages.length === 0
  document.title = messages.length === 0 ? 'Inbox' : `Inbox (${messages.length})`
}

const showPart = () => {
  const has = { html: shown.html !== null, text: shown.text !== '', source: true }
  const visible = has[part] ? part : parts.find((name) => has[name])
  for (const name of parts) {
    const tab = $(`tab-${name}`)
    tab.hidden = !has[name]
    tab.ariaSelected = String(name === visible)
    tab.tabIndex = name === visible ? 0 : -1
    $(`part-${name}`).hidden = name !== visible
  }
}

const showSource = async (message) => {
  const answer = await fetch(`/api/messages/${message.id}/raw`)
  const source = await answer.text()
  if (shown?.id === message.id) $('part-source').textContent = source
}

const showMessage = () => {
  const message = messages.find(({ id }) => id === openId())
  const changed = message?.id !== shown?.id
  shown = message
  $('reader').hidden = message === undefined
  document.body.toggleAttribute('data-reading', message !== undefined)
  if (message === undefined || !changed) return
  $('subject').textContent = message.subject || '(no subject)'
  const facts = {
    From: message.from || '(empty)',
    To: message.to.join(', '),
    Received: timeOf(message.receivedAt),
  }
  $('facts').replaceChildren(
    ...Object.entries(facts).flatMap(([name, value]) => [
      element('dt', { textContent: name }),
      element('dd', { textContent: value }),
    ]),
  )
  const code = codeOf(message)
  $('code').hidden = code === undefined
  $('digits').textContent = code ?? ''
  $('copy').textContent = 'Copy code'
  if (message.html === null) $('part-html').removeAttribute('src')
  else $('part-html').src = `/api/messages/${message.id}/html`
  $('part-text').textContent = message.text
  $('part-source').textContent = ''
  showPart()
  showSource(message)
}

const show = () => {
  showMessage()
  showList()
}

const load = async () => {
  const answer = await fetch('/api/messages?limit=1000')
  messages = (await answer.json()).messages
  show()
}

const arrived = (message) => {
  messages = [message, ...messages].slice(0, 1000)
  $('news').textContent = `New mail for ${message.to.join(', ')}: ${message.subject}`
  show()
}

const live = (state, text) => {
  $('live').dataset.state = state
  $('live').textContent = text
}

const events = new EventSource('/api/events')
// Reloads the list each time the stream opens, because mail may have arrived while it was closed.
events.addEventListener('open', () => {
  live('live', 'Live')
  load()
})
events.addEventListener('error', () => live('lost', 'Not connected'))
events.addEventListener('arrived', ({ data }) => arrived(JSON.parse(data)))
events.addEventListener('cleared', () => {
  messages = []
  show()
})

addEventListener('hashchange', () => {
  show()
  if (shown !== undefined) $('subject').focus()
})
$('filter').addEventListener('input', showList)
$('clear').addEventListener('click', () => fetch('/api/messages', { method: 'DELETE' }))
$('copy').addEventListener('click', async () => {
  await navigator.clipboard.writeText($('digits').textContent)
  $('copy').textContent = 'Copied'
})
for (const name of parts) {
  $(`tab-${name}`).addEventListener('click', () => {
    part = name
    showPart()
  })
}
document.querySelector('.parts').addEventListener('keydown', (event) => {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
  if (step === undefined) return
  const tabs = parts.map((name) => $(`tab-${name}`)).filter((tab) => !tab.hidden)
  const next = tabs[(tabs.indexOf(document.activeElement) + step + tabs.length) % tabs.length]
  next.click()
  next.focus()
})
