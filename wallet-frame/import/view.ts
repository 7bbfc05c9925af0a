/**
 * Where a user gives their key: a field that hides what is in it, then the address of the key, for them to say that this
 * is the wallet they mean. What was typed leaves the field with the press that reads it, whatever becomes of it.
 */

import type { InferOutput } from 'valibot'
import { copyText } from '../pages/clipboard.ts'
import { button, make } from '../pages/elements.ts'
import type { ImportOutputs, KeyProblem } from '../vault/import/contract.ts'
import type { ImportTexts } from './texts.ts'

type Taken = InferOutput<ImportOutputs['take']>
export type ViewPorts = {
  readonly document: Document
  readonly texts: ImportTexts
  /** Takes the text as UTF-8 bytes, which the view wipes. */
  readonly take: (text: Uint8Array<ArrayBuffer>) => Promise<Taken>
  readonly forget: () => void
}
export type View = {
  /** The address that the user said yes to, of the key that they typed. */
  readonly askForKey: () => Promise<string>
  /** Asks the user to confirm the address of a key that is known already. */
  readonly confirm: (address: string) => Promise<string>
  readonly hide: () => void
  readonly clear: () => void
}

export function createView({ document, texts, take, forget }: ViewPorts): View {
  const heading = make('h1', { textContent: texts.title })
  const main = make('main', {}, heading)
  const said = make('p', { className: 'said', role: 'status', textContent: texts.waiting })
  document.body.replaceChildren(main, said)
  document.title = texts.title

  const field = make('input', {
    id: 'key',
    className: 'key',
    autocomplete: 'off',
    autocapitalize: 'none',
    spellcheck: false,
    enterKeyHint: 'next',
    dir: 'ltr',
  })
  field.setAttribute('autocorrect', 'off')
  field.setAttribute('aria-describedby', 'problem')
  const toggle = button('text', texts.show, () => mask(field.dataset.masked !== 'true'))
  const problem = make('p', { id: 'problem', className: 'problem', role: 'alert' })
  const next = button('primary', texts.next, () => void read())
  field.addEventListener('keydown', ({ key, isTrusted }) => {
    if (key === 'Enter' && isTrusted) void read()
  })
  field.addEventListener('input', () => tell(undefined))
  const entry = make(
    'section',
    {},
    make('label', { htmlFor: 'key', textContent: texts.label }),
    make('div', { className: 'field' }, field, toggle),
    problem,
    next,
  )
  mask(true)

  /** A field of passwords is offered to be saved: this one is not, wherever its text can be hidden otherwise. */
  function mask(isMasked: boolean) {
    const hidesText = CSS.supports('-webkit-text-security', 'disc')
    field.type = isMasked && !hidesText ? 'password' : 'text'
    field.dataset.masked = String(isMasked)
    toggle.textContent = isMasked ? texts.show : texts.hide
  }

  function tell(what: KeyProblem | 'failed' | undefined) {
    problem.textContent = what === undefined ? '' : texts.problems[what]
    field.ariaInvalid = String(what !== undefined)
  }

  function clear() {
    field.value = ''
    mask(true)
  }

  /** Resolves the promise that waits for the user to agree. */
  let settle: (address: string) => void = () => {}

  async function read() {
    if (next.disabled) return
    const text = new TextEncoder().encode(field.value)
    clear()
    if (text.length === 0) return field.focus()
    next.disabled = true
    try {
      const taken = await take(text)
      if ('address' in taken) return review(taken.address, { isTyped: true })
      tell(taken.problem)
    } catch {
      tell('failed')
    } finally {
      text.fill(0)
      next.disabled = false
    }
    field.focus()
  }

  function ask() {
    tell(undefined)
    said.textContent = ''
    main.replaceChildren(heading, entry)
    field.focus()
  }

  function review(address: string, { isTyped }: { readonly isTyped: boolean }) {
    const yes = button('primary', texts.yes, () => {
      main.replaceChildren(heading, shown)
      said.textContent = texts.importing
      settle(address)
    })
    const another = button('', texts.another, () => {
      forget()
      ask()
    })
    const wipe = button('text', texts.clearClipboard, () => void clearClipboard(wipe))
    const shown = make(
      'div',
      { className: 'wallet' },
      make('h2', { textContent: texts.address }),
      make('p', { className: 'address', dir: 'ltr', textContent: address }),
    )
    const question = make('p', { className: 'question', textContent: texts.question })
    main.replaceChildren(heading, shown, question, yes, ...(isTyped ? [another, wipe] : []))
    said.textContent = ''
    yes.focus()
  }

  async function clearClipboard(pressed: HTMLButtonElement) {
    if (!(await copyText(document, ' '))) return
    pressed.hidden = true
    said.textContent = texts.cleared
  }

  const answered = () =>
    new Promise<string>((resolve) => {
      settle = resolve
    })

  return {
    askForKey() {
      ask()
      return answered()
    },
    confirm(address) {
      review(address, { isTyped: false })
      return answered()
    },
    hide: () => mask(true),
    clear,
  }
}
