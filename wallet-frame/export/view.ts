/**
 * Shows the user's key for one minute after a press. Hidden text is not in the document, and only one form is
 * shown at a time. The buttons that show or copy the key have an approval gate.
 */
import { exportLimits } from '@latchkey/protocol'
import { copyText } from '@latchkey/protocol/browser'
import type { Clock } from '../clock.ts'
import { createDrawing, lead, requesterLine } from '../pages/drawing.ts'
import { button, make, mono } from '../pages/elements.ts'
import { createGatedButton } from '../pages/gated-button.ts'
import type { SecretForm } from '../vault/export/contract.ts'
import type { WindowState } from './flow.ts'
import type { ExportTexts } from './texts.ts'

export type ViewPorts = {
  document: Document
  clock: Clock
  texts: ExportTexts
  appName: string
  /** Called when the user approves the export. */
  approve: () => void
  /** Returns the secret as ASCII bytes, which the view wipes after showing them. */
  reveal: (form: SecretForm) => Promise<Uint8Array>
  closeWindow: () => void
}
export type View = {
  show: (state: WindowState) => void
  hide: () => void
}

export function createView({
  document,
  clock,
  texts,
  appName,
  approve,
  reveal,
  closeWindow,
}: ViewPorts): View {
  const { draw, until } = createDrawing(document)
  let shownSecret: { hide: () => void } | undefined
  const hide = () => shownSecret?.hide()

  const say = ({ title, detail }: { title: string; detail: string }) =>
    draw(title, requesterLine(appName), lead(detail))
  const warning = () => make('p', { className: 'warning', textContent: texts.warning })
  const wallet = (address: string) =>
    make('dl', {}, make('div', {}, make('dt', { textContent: texts.wallet }), mono('dd', address)))

  function review(address: string) {
    const press = createGatedButton(texts.approve, texts.gate, clock, approve)
    draw(
      texts.title,
      requesterLine(appName),
      lead(texts.detail),
      warning(),
      wallet(address),
      press.button,
      button('', texts.cancel, closeWindow),
      press.status,
    )
    until(press.sense())
  }

  function open(address: string, forms: readonly SecretForm[]) {
    const status = make('p', { className: 'status', role: 'status' })
    const clear = button('text', texts.clear, () => void clearClipboard())
    clear.hidden = true

    async function clearClipboard() {
      if (!(await copyText(' '))) return
      clear.hidden = true
      status.textContent = texts.cleared
    }

    const sections = forms.map((form) =>
      section(form, {
        say: (text) => {
          status.textContent = text
        },
        onCopied: () => {
          clear.hidden = false
        },
      }),
    )
    draw(
      texts.title,
      requesterLine(appName),
      warning(),
      wallet(address),
      ...sections.map(({ whole }) => whole),
      clear,
      status,
    )
    for (const { rest } of sections) rest()
    until(() => {
      hide()
      for (const { settle } of sections) settle()
    })
  }

  type SectionPorts = { say: (text: string) => void; onCopied: () => void }

  function section(form: SecretForm, { say, onCopied }: SectionPorts) {
    const words = texts.forms[form]
    const secret = make('p', { className: 'secret', dir: 'auto', textContent: texts.hidden })
    secret.dataset.shown = 'false'
    secret.dataset.form = form
    const row = make('div', { className: 'row' })
    const whole = make('section', {}, make('h2', { textContent: words.name }), secret, row)
    let settle = () => {}

    /** Replaces the buttons and restarts the approval gate. */
    function putButtons(
      first: HTMLElement,
      second: HTMLElement,
      gated: ReturnType<typeof createGatedButton>,
    ) {
      settle()
      row.replaceChildren(first, second, gated.status)
      settle = gated.sense()
    }

    function rest() {
      const toggle = createGatedButton(words.show, texts.gate, clock, () => void turn())
      const copy = button('', words.copy, () => {})
      copy.disabled = true
      putButtons(toggle.button, copy, toggle)

      async function turn() {
        settle()
        hide()
        toggle.button.disabled = true
        try {
          const bytes = await reveal(form)
          if (whole.isConnected) showSecret(new TextDecoder().decode(bytes))
          bytes.fill(0)
        } catch {
          say(texts.failed)
        }
      }
    }

    function showSecret(text: string) {
      // The other form may have been shown first.
      hide()
      secret.textContent = text
      secret.dataset.shown = 'true'
      say('')
      const stopTimer = clock.after(exportLimits.shownMs, () => {
        hideSecret()
        say(texts.hiddenAgain)
      })
      shownSecret = { hide: hideSecret }
      offerCopy().focus()

      function hideSecret() {
        stopTimer()
        shownSecret = undefined
        secret.textContent = texts.hidden
        secret.dataset.shown = 'false'
        rest()
      }
    }

    /** Shows the buttons to hide and to copy the secret. Returns the hide button. */
    function offerCopy(): HTMLButtonElement {
      const toggle = button('primary', words.hide, hide)
      const copy = createGatedButton(words.copy, texts.gate, clock, () => void copyShown())
      copy.button.className = 'second'
      putButtons(toggle, copy.button, copy)
      return toggle

      async function copyShown() {
        settle()
        const isCopied = await copyText(secret.textContent ?? '')
        say(isCopied ? texts.copied : texts.notCopied)
        if (isCopied) onCopied()
        if (secret.dataset.shown === 'true') offerCopy()
      }
    }

    return { whole, rest, settle: () => settle() }
  }

  return {
    hide,
    show(state) {
      switch (state.status) {
        case 'opening':
        case 'working':
        case 'alone':
        case 'gone':
          return say(texts[state.status])
        case 'review':
          return review(state.address)
        case 'open':
          return open(state.address, state.forms)
        case 'over':
          return say(state.code === 'client_request_timeout' ? texts.late : texts.over)
        default:
          return state satisfies never
      }
    },
  }
}
