/**
 * Where a user gives their key or seed phrase: a field that hides what is in it, then the address, for them to say that
 * this is the wallet they mean. A key leaves the field with the press that reads it, whatever becomes of it. A seed phrase
 * with a mistake stays, because nobody types 24 words again for one letter.
 */

import type { InferOutput } from 'valibot'
import { copyText } from '../pages/clipboard.ts'
import { button, make, withBreaks } from '../pages/elements.ts'
import type { ImportOutputs } from '../vault/import/contract.ts'
import type { Texts } from './texts.arb'

type Taken = InferOutput<ImportOutputs['take']>
type Problem = Extract<Taken, { readonly problem: unknown }> | { readonly problem: 'failed' }
export type ViewPorts = {
  readonly document: Document
  readonly texts: Texts
  /** Takes the texts as UTF-8 bytes, which the view wipes. */
  readonly take: (text: Uint8Array<ArrayBuffer>, passphrase?: Uint8Array<ArrayBuffer>) => Promise<Taken>
  /** Keeps one account of a seed phrase alone. */
  readonly choose: (account: number) => Promise<void>
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

export function createView({ document, texts, take, choose, forget }: ViewPorts): View {
  const heading = make('h1', { textContent: texts.title })
  const main = make('main', {}, heading)
  const status = make('p', { className: 'status', role: 'status', textContent: texts.waiting })
  document.body.replaceChildren(main, status)
  document.title = texts.title

  const hidesText = CSS.supports('-webkit-text-security', 'disc')
  const secret = {
    autocomplete: 'off',
    autocapitalize: 'none',
    spellcheck: false,
    enterKeyHint: 'next',
    dir: 'ltr',
  } as const
  // Words that are pasted line by line stay apart in an area alone, which nothing but that style hides.
  const field = hidesText
    ? make('textarea', { ...secret, id: 'key', className: 'key', rows: 3 })
    : make('input', { ...secret, id: 'key', className: 'key' })
  const passphrase = make('input', { ...secret, id: 'passphrase', className: 'key' })
  const fields = [field, passphrase]
  field.setAttribute('aria-describedby', 'problem')
  passphrase.setAttribute('aria-describedby', 'passphrase-hint')
  for (const one of fields) {
    one.setAttribute('autocorrect', 'off')
    one.addEventListener('keydown', (event) => {
      if (!(event instanceof KeyboardEvent) || event.key !== 'Enter' || event.isComposing) return
      event.preventDefault()
      if (event.isTrusted) void read()
    })
    one.addEventListener('input', () => tell(undefined))
  }
  const toggle = button('text', texts.show, () => mask(field.dataset.masked !== 'true'))
  const problem = make('p', { id: 'problem', className: 'problem', role: 'alert' })
  const next = button('primary', texts.next, () => void read())
  const forPhrase = make(
    'div',
    { className: 'passphrase', hidden: true },
    make('label', { htmlFor: 'passphrase', textContent: texts.passphrase }),
    passphrase,
    make('p', { id: 'passphrase-hint', className: 'hint', textContent: texts.passphraseHint }),
  )
  field.addEventListener('input', () => {
    forPhrase.hidden = !isPhrase(field.value)
  })
  const entry = make(
    'section',
    {},
    make('div', { className: 'named' }, make('label', { htmlFor: 'key', textContent: texts.label }), toggle),
    field,
    problem,
    forPhrase,
    next,
  )
  mask(true)

  /** A field of passwords is offered to be saved: this one is not, wherever its text can be hidden otherwise. */
  function mask(isMasked: boolean) {
    for (const one of fields) {
      if (one instanceof HTMLInputElement) one.type = isMasked && !hidesText ? 'password' : 'text'
      one.dataset.masked = String(isMasked)
    }
    toggle.textContent = isMasked ? texts.show : texts.hide
  }

  function tell(what: Problem | undefined) {
    problem.textContent = what === undefined ? '' : sentence(what)
    field.ariaInvalid = String(what !== undefined)
    if (what?.problem === 'unknown_word') selectWord(what.word)
  }

  function sentence(what: Problem): string {
    switch (what.problem) {
      case 'word_count':
        return texts.problems.word_count({ count: what.count })
      case 'unknown_word':
        return texts.problems.unknown_word({ word: `\u2068${what.word}\u2069` })
      default:
        return texts.problems[what.problem]
    }
  }

  /** So that typing replaces it. */
  function selectWord(word: string) {
    for (const { 0: one, index } of field.value.matchAll(/\S+/gu))
      if (one.toLowerCase().normalize('NFC') === word)
        return field.setSelectionRange(index, index + one.length)
  }

  function clear() {
    for (const one of fields) one.value = ''
    forPhrase.hidden = true
    mask(true)
  }

  /** Resolves the promise that waits for the user to agree. */
  let settle: (address: string) => void = () => {}

  async function read() {
    if (next.disabled) return
    const encoder = new TextEncoder()
    const text = encoder.encode(field.value)
    const salt = isPhrase(field.value) ? encoder.encode(passphrase.value) : undefined
    if (!salt) clear()
    if (text.length === 0) return field.focus()
    next.disabled = true
    try {
      const taken = await take(text, salt)
      if (!('problem' in taken)) {
        clear()
        return review('address' in taken ? [taken.address] : taken.addresses, { isTyped: true })
      }
      if (!isOfPhrase(taken.problem)) clear()
      field.focus()
      tell(taken)
    } catch {
      clear()
      field.focus()
      tell({ problem: 'failed' })
    } finally {
      text.fill(0)
      salt?.fill(0)
      next.disabled = false
    }
  }

  function ask() {
    tell(undefined)
    status.textContent = ''
    main.replaceChildren(heading, entry)
    field.focus()
  }

  function review(addresses: readonly string[], { isTyped }: { readonly isTyped: boolean }) {
    let account = 0
    const address = make('p', { className: 'address', dir: 'ltr' })
    const accounts = make('select', { id: 'account' })
    accounts.append(
      ...addresses.map(
        (one, at) => new Option(texts.option({ number: at + 1, address: ends(one) }), `${at}`),
      ),
    )
    accounts.addEventListener('change', () => show(accounts.selectedIndex))
    function show(at: number) {
      account = at
      address.replaceChildren(...withBreaks(addresses[at] ?? ''))
    }
    show(0)
    async function agree() {
      main.replaceChildren(heading, shown)
      accounts.disabled = true
      status.textContent = texts.importing
      // A key that is gone by now cannot be sealed, which the dialog hears.
      if (addresses.length > 1) await choose(account).catch(() => {})
      settle(addresses[account] ?? '')
    }
    const yes = button('primary', texts.yes, () => void agree())
    const another = button('', texts.another, () => {
      forget()
      ask()
    })
    const hint = make('p', { className: 'hint', textContent: texts.clipboardHint })
    const wipe = button('text', texts.clearClipboard, () => void clearClipboard(clipboard))
    const clipboard = make('div', { className: 'clipboard' }, hint, wipe)
    const choice = [make('label', { htmlFor: 'account', textContent: texts.account }), accounts]
    const shown = make(
      'div',
      { className: 'wallet' },
      ...(addresses.length > 1 ? choice : []),
      make('h2', { textContent: texts.address }),
      address,
    )
    const question = make('p', { className: 'question', textContent: texts.question })
    main.replaceChildren(heading, shown, question, yes, ...(isTyped ? [another, clipboard] : []))
    status.textContent = ''
    yes.focus()
  }

  async function clearClipboard(offered: HTMLElement) {
    if (!(await copyText(document, ' '))) return
    offered.hidden = true
    status.textContent = texts.cleared
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
      review([address], { isTyped: false })
      return answered()
    },
    hide: () => mask(true),
    clear,
  }
}

const isOfPhrase = (problem: Problem['problem']) =>
  problem === 'word_count' || problem === 'unknown_word' || problem === 'wrong_checksum'

/** Words, or the characters that are words of Chinese. What it is exactly, the vault says. */
const isPhrase = (text: string) => /\S\s+\S|\p{Script=Han}/u.test(text)

const ends = (address: string) => `${address.slice(0, 6)}…${address.slice(-4)}`
