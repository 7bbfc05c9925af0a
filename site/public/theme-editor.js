// The theme editor: shows the dialog's gallery with the chosen settings in a frame, and prints them as configuration.

const editor = document.querySelector('.theme-editor')
const form = editor.querySelector('form')
const frame = editor.querySelector('iframe')
const code = editor.querySelector('code')
const copy = editor.querySelector('button')
const status = editor.querySelector('[role="status"]')

/** Values that need no setting, because they are the defaults of the dialog. */
const defaults = { theme: 'auto', accentColor: '#0a66c9' }
/** The limit of the dialog. */
const maxLogoBytes = 36_000

function readConfig() {
  const { theme, accentColor, logo, landingHeader, loginMessage, locale } = Object.fromEntries(
    new FormData(form),
  )
  const appearance = Object.fromEntries(
    Object.entries({ theme, accentColor, logo, landingHeader, loginMessage }).filter(
      ([name, value]) => value !== '' && value !== defaults[name],
    ),
  )
  return {
    ...(Object.keys(appearance).length > 0 && { appearance }),
    ...(locale !== '' && { intl: { locale } }),
  }
}

/** Formats a value as JavaScript. */
function print(value, indent = '') {
  if (typeof value === 'string') return `'${value.replaceAll(/[\\']/g, String.raw`\$&`)}'`
  const inner = `${indent}  `
  const lines = Object.entries(value).map(([name, part]) => `${inner}${name}: ${print(part, inner)},\n`)
  return lines.length === 0 ? '{}' : `{\n${lines.join('')}${indent}}`
}

let isVisible = false

function show() {
  const config = readConfig()
  code.textContent = `createLatchkey(${print({ appId: 'YOUR_APP_ID', config })})`
  if (!isVisible) return
  const locale = form.elements.locale.value || navigator.language
  const preview = { caption: form.elements.caption.value, config: { ...config, intl: { locale } } }
  // Only the fragment changes, so the frame does not load again.
  frame.contentWindow.location.replace(
    `/theme-preview/theme.html#${encodeURIComponent(JSON.stringify(preview))}`,
  )
}

form.addEventListener('input', ({ target }) => {
  if (target.name !== 'file') show()
})
form.addEventListener('submit', (event) => event.preventDefault())

form.elements.file.addEventListener('change', () => {
  const [file] = form.elements.file.files
  if (!file) return
  const isTooLarge = file.size > maxLogoBytes
  status.textContent = isTooLarge ? 'This file is too large. A logo may have at most 36 kB.' : ''
  if (isTooLarge) return
  const reader = new FileReader()
  reader.addEventListener('load', () => {
    form.elements.logo.value = reader.result
    show()
  })
  reader.readAsDataURL(file)
})

copy.addEventListener('click', async () => {
  await navigator.clipboard.writeText(code.textContent)
  status.textContent = 'Copied'
})

// The dialog is a large page, so it loads when the frame is on the screen.
new IntersectionObserver(([{ isIntersecting }], observer) => {
  if (!isIntersecting) return
  observer.disconnect()
  isVisible = true
  show()
}).observe(frame)
show()
