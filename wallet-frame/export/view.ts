/**
 * What the user sees of their key: nothing, until they press for it, and nothing again a minute later. What is hidden
 * is not in the document. One form is shown at a time.
 */
import { exportLimits } from '@latchkey/protocol'
import type { Clock } from '../clock.ts'
import { copyText } from '../pages/clipboard.ts'
import { button, make } from '../pages/elements.ts'
import type { SecretForm } from '../vault/export/contract.ts'
import type { ExportTexts } from './texts.ts'

export type ViewPorts = {
  readonly document: Document
  readonly clock: Clock
  readonly texts: ExportTexts
  /** In ASCII; it is wiped here. */
  readonly show: (form: SecretForm) => Promise<Uint8Array>
}
export type View = {
  readonly ready: (forms: readonly SecretForm[]) => void
  readonly hide: () => void
}

export function createView({ document, clock, texts, show }: ViewPorts): View {
  const main = document.createElement('main')
  const said = make('p', { className: 'said', role: 'status', textContent: texts.waiting })
  const clear = button('text', texts.clear, () => void clearClipboard())
  clear.hidden = true
  const heading = make('h1', { textContent: document.title })
  main.append(heading)
  document.body.replaceChildren(main, clear, said)

  let shown: { readonly hide: () => void } | undefined
  const hide = () => shown?.hide()

  function section(form: SecretForm): HTMLElement {
    const words = texts.forms[form]
    const secret = make('p', { className: 'secret', dir: 'auto', textContent: texts.hidden })
    secret.dataset.shown = 'false'
    secret.dataset.form = form
    const toggle = button('primary', words.show, () => void turn())
    const copy = button('', words.copy, () => void copyShown())
    copy.disabled = true
    let isShown = false

    async function turn() {
      if (isShown) return hide()
      hide()
      toggle.disabled = true
      try {
        const bytes = await show(form)
        put(new TextDecoder().decode(bytes))
        bytes.fill(0)
      } catch {
        said.textContent = texts.failed
      } finally {
        toggle.disabled = false
        toggle.focus()
      }
    }

    function put(text: string) {
      // Another one may have come first.
      hide()
      isShown = true
      secret.textContent = text
      secret.dataset.shown = 'true'
      toggle.textContent = words.hide
      copy.disabled = false
      said.textContent = ''
      const stopTimer = clock.after(exportLimits.shownMs, () => {
        takeAway()
        said.textContent = texts.hiddenAgain
      })
      shown = { hide: takeAway }

      function takeAway() {
        stopTimer()
        isShown = false
        shown = undefined
        secret.textContent = texts.hidden
        secret.dataset.shown = 'false'
        toggle.textContent = words.show
        copy.disabled = true
      }
    }

    async function copyShown() {
      const isCopied = isShown && (await copyText(document, secret.textContent ?? ''))
      said.textContent = isCopied ? texts.copied : texts.notCopied
      if (isCopied) clear.hidden = false
    }

    const row = make('div', { className: 'row' })
    row.append(toggle, copy)
    const whole = make('section', {})
    const name = make('h2', { textContent: words.name })
    whole.append(name, secret, row)
    return whole
  }

  async function clearClipboard() {
    if (!(await copyText(document, ' '))) return
    clear.hidden = true
    said.textContent = texts.cleared
  }

  return {
    ready(forms) {
      hide()
      said.textContent = ''
      main.replaceChildren(heading, ...forms.map(section))
    },
    hide,
  }
}
