/**
 * The form for a private key or seed phrase, with a masked field, and the review of its address. A key is
 * removed from the field when it is read, valid or not. An invalid seed phrase stays, so that the user need
 * not type 24 words again.
 */

import { LatchkeyError } from '@latchkey/protocol'
import { copyText, framedPageSurface, watchVisibility } from '@latchkey/protocol/browser'
import type { InferOutput } from 'valibot'
import type { Clock } from '../clock.ts'
import { button, make, withBreaks } from '../pages/elements.ts'
import { type ButtonPlace, createGatedButton, measureButton } from '../pages/gated-button.ts'
import type { ImportOutputs } from '../vault/import/contract.ts'
import type { ImportTexts } from './texts.ts'

type TakeResult = InferOutput<ImportOutputs['take']>
type Problem = Extract<TakeResult, { problem: unknown }> | { problem: 'failed' }
export type ViewPorts = {
  document: Document
  texts: ImportTexts
  clock: Clock
  /** Reads the texts as UTF-8 bytes, which the view wipes. */
  take: (text: Uint8Array<ArrayBuffer>, passphrase?: Uint8Array<ArrayBuffer>) => Promise<TakeResult>
  /** Records in the vault that the user accepted this address. */
  agree: (address: string) => Promise<void>
  forget: () => void
}
export type View = {
  /** Asks for a key. Resolves with the address that the user accepted. */
  askForKey: () => Promise<string>
  /** Resolves when the user has accepted the address of the key that the vault holds. */
  confirm: (address: string) => Promise<string>
  hide: () => void
  clear: () => void
}

export function createView({ document, texts, clock, take, agree, forget }: ViewPorts): View {
  // Each screen focuses the heading, so that the approval gate sees the focus arrive.
  const heading = make('h1', { textContent: texts.title, tabIndex: -1 })
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
  // Only a textarea keeps pasted lines apart, and only this style can mask it.
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
    one.addEventListener('input', () => showProblem(undefined))
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

  /** Masks the fields. A password input is only the fallback, because browsers offer to save passwords. */
  function mask(isMasked: boolean) {
    for (const one of fields) {
      if (one instanceof HTMLInputElement) one.type = isMasked && !hidesText ? 'password' : 'text'
      one.dataset.masked = String(isMasked)
    }
    toggle.textContent = isMasked ? texts.show : texts.hide
  }

  function showProblem(what: Problem | undefined) {
    problem.textContent = what === undefined ? '' : problemText(what)
    field.ariaInvalid = String(what !== undefined)
    if (what?.problem === 'unknown_word') selectWord(what.word)
  }

  function problemText(what: Problem): string {
    switch (what.problem) {
      case 'word_count':
        return texts.problems.word_count({ count: what.count })
      case 'unknown_word':
        return texts.problems.unknown_word({ word: `\u2068${what.word}\u2069` })
      default:
        return texts.problems[what.problem]
    }
  }

  /** Selects the word, so that typing replaces it. */
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

  let agreement: PromiseWithResolvers<string> | undefined
  let stopSensing = () => {}

  async function read() {
    if (next.disabled) return
    const encoder = new TextEncoder()
    const text = encoder.encode(field.value)
    const salt = isPhrase(field.value) ? encoder.encode(passphrase.value) : undefined
    if (!salt) clear()
    if (text.length === 0) return field.focus()
    next.disabled = true
    try {
      const result = await take(text, salt)
      if (!('problem' in result)) {
        clear()
        return review('address' in result ? [result.address] : result.addresses, { isTyped: true })
      }
      if (!isPhraseProblem(result.problem)) clear()
      field.focus()
      showProblem(result)
    } catch {
      clear()
      field.focus()
      showProblem({ problem: 'failed' })
    } finally {
      text.fill(0)
      salt?.fill(0)
      next.disabled = false
    }
  }

  function showEntry() {
    stopSensing()
    showProblem(undefined)
    status.textContent = ''
    main.replaceChildren(heading, entry)
    field.focus()
  }

  function review(addresses: readonly string[], { isTyped }: { isTyped: boolean }) {
    stopSensing()
    let selectedAddress = addresses[0] ?? ''
    const address = make('p', { className: 'address', dir: 'ltr' })
    const accounts = make('select', { id: 'account' })
    accounts.append(
      ...addresses.map(
        (one, at) => new Option(texts.option({ number: at + 1, address: shorten(one) }), `${at}`),
      ),
    )
    const another = button('', texts.another, () => {
      forget()
      showEntry()
    })
    const hint = make('p', { className: 'hint', textContent: texts.clipboardHint })
    const wipe = button('text', texts.clearClipboard, () => void clearClipboard(clipboard))
    const clipboard = make('div', { className: 'clipboard' }, hint, wipe)
    const choice = [make('label', { htmlFor: 'account', textContent: texts.account }), accounts]
    const wallet = make(
      'div',
      { className: 'wallet' },
      ...(addresses.length > 1 ? choice : []),
      make('h2', { textContent: texts.address }),
      address,
    )
    const question = make('p', { className: 'question', textContent: texts.question })
    const press = make('div', { className: 'press' })
    const card = make('section', { className: 'review' }, wallet, question, press)
    accounts.addEventListener('change', () => {
      selectedAddress = addresses[accounts.selectedIndex] ?? ''
      show()
    })
    main.replaceChildren(heading, card, ...(isTyped ? [another, clipboard] : []))
    status.textContent = ''
    show()
    if (addresses.length > 1) accounts.focus()
    else heading.focus()

    /** Restarts the approval gate, because the address to approve has changed. */
    function show() {
      stopSensing()
      address.replaceChildren(...withBreaks(selectedAddress))
      const yes = createGatedButton(texts.yes, texts.gate, clock, () => void confirmAddress())
      press.replaceChildren(yes.button, yes.status)
      stopSensing = yes.sense(inFrame(card))
    }

    async function confirmAddress() {
      stopSensing()
      main.replaceChildren(heading, wallet)
      accounts.disabled = true
      status.textContent = texts.importing
      const pending = agreement
      try {
        await agree(selectedAddress)
        pending?.resolve(selectedAddress)
      } catch (error) {
        // The key expired, or another key replaced it.
        pending?.reject(error)
      }
    }
  }

  async function clearClipboard(offered: HTMLElement) {
    if (!(await copyText(' '))) return
    offered.hidden = true
    status.textContent = texts.cleared
  }

  /** Creates a pending agreement. Rejects the previous one, because the vault no longer holds its key. */
  function awaitAgreement(): Promise<string> {
    agreement?.reject(new LatchkeyError('invalid_data', 'Another key was requested'))
    agreement = Promise.withResolvers()
    return agreement.promise
  }

  return {
    askForKey() {
      showEntry()
      return awaitAgreement()
    },
    confirm(address) {
      review([address], { isTyped: false })
      return awaitAgreement()
    },
    hide: () => mask(true),
    clear,
  }
}

const isPhraseProblem = (problem: Problem['problem']) =>
  problem === 'word_count' || problem === 'unknown_word' || problem === 'wrong_checksum'

/**
 * Returns whether the text looks like a phrase: several words, or Han characters. The vault decides exactly.
 */
const isPhrase = (text: string) => /\S\s+\S|\p{Script=Han}/u.test(text)

const shorten = (address: string) => `${address.slice(0, 6)}…${address.slice(-4)}`

/**
 * Samples this page in the dialog, which may cover, move or shrink it: the card must be visible. If the browser cannot
 * detect covered content, the page must have the focus, which it gets by a press.
 */
const inFrame = (card: HTMLElement): ButtonPlace => ({
  surface: framedPageSurface,
  createSampler: (button) => (onSample) =>
    watchVisibility(card, ({ method, visible }) =>
      onSample(measureButton(button, method, visible && (method === 'composited' || document.hasFocus()))),
    ),
})
