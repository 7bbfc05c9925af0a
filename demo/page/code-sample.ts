import { byId, byTestId } from './elements.ts'
import { accents, type Look } from './look.ts'

export type SampleForm = 'module' | 'script'
export type SampleValues = { readonly appId: string; readonly dialogUrl: string; readonly look: Look }

const moduleSample = ({ appId, dialogUrl, look }: SampleValues) => `\
import { createLatchkey } from '@latchkey/loader'

const latchkey = createLatchkey({
  appId: '${appId}',
  dialogUrl: '${dialogUrl}',
  config: {
    appearance: {
      theme: '${look.theme}',
      accentColor: '${accents[look.accent]}',
    },
    intl: { locale: '${look.language}' },
  },
})

latchkey.on('user', ({ user }) => showAccount(user))

loginButton.onclick = () => latchkey.login()
signButton.onclick = () => latchkey.signMessage(observation.value)
`

const scriptSample = ({ appId, dialogUrl }: SampleValues) => `\
<script
  src="${dialogUrl}/loader/v1/loader.js"
  data-app-id="${appId}"
  async
></script>

// and in your own script
loginButton.onclick = () => latchkey.login()
`

const samples: Record<SampleForm, (values: SampleValues) => string> = {
  module: moduleSample,
  script: scriptSample,
}

/** Enough of a highlighter for two samples: strings, words of the language, and the rest. */
const pattern = /('[^'\n]*'|"[^"\n]*")|\b(import|from|const|async|script|button)\b/g

const coloured = (line: string): readonly (string | HTMLElement)[] => {
  const parts: (string | HTMLElement)[] = []
  let end = 0
  for (const { 0: text, 1: string, index } of line.matchAll(pattern)) {
    const mark = document.createElement('span')
    mark.className = string === undefined ? 'word' : 'string'
    mark.textContent = text
    parts.push(line.slice(end, index), mark)
    end = index + text.length
  }
  return [...parts, line.slice(end)]
}

let shown: readonly string[] = []
let shownForm: SampleForm | undefined

export const sampleText = () => shown.join('\n')

/** Lines that differ from the ones before are marked, so that a switch of the look is seen to reach the code. */
export const showSample = (form: SampleForm, values: SampleValues) => {
  const lines = samples[form](values).trimEnd().split('\n')
  const rows = lines.map((line, index) => {
    const row = document.createElement('span')
    row.className = 'line'
    row.append(...coloured(line), '\n')
    row.classList.toggle('changed', shownForm === form && shown[index] !== line)
    return row
  })
  shown = lines
  shownForm = form
  byTestId('code').replaceChildren(...rows)
}

/** The two tabs over the sample, by click and by arrow key. */
export const startSampleTabs = (show: (form: SampleForm) => void) => {
  const forms: readonly SampleForm[] = ['module', 'script']
  const select = (form: SampleForm) => {
    for (const name of forms) {
      const tab = byId(`tab-${name}`)
      tab.ariaSelected = String(name === form)
      tab.tabIndex = name === form ? 0 : -1
    }
    byId('source').setAttribute('aria-labelledby', `tab-${form}`)
    show(form)
  }
  for (const form of forms) {
    const other: SampleForm = form === 'module' ? 'script' : 'module'
    byId(`tab-${form}`).addEventListener('click', () => select(form))
    byId(`tab-${form}`).addEventListener('keydown', ({ key }) => {
      if (key !== 'ArrowLeft' && key !== 'ArrowRight') return
      select(other)
      byId(`tab-${other}`).focus()
    })
  }
}
