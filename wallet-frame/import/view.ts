/**
 * The form for a private key or seed phrase, with a masked field, and the review of the address. A key leaves the field with
 * the press that reads it, valid or not. An invalid seed phrase stays, so the user need not type 24 words again.
 */

import { LatchkeyError } from '@latchkey/protocol'
import type { InferOutput } from 'valibot'
import type { Clock } from '../clock.ts'
import { copyText } from '../pages/clipboard.ts'
import { button, make, withBreaks } from '../pages/elements.ts'
import { gatedButton } from '../pages/gate/gated-button.ts'
import { sampleFrame } from '../pages/gate/sample-frame.ts'
import type { ImportOutputs } from '../vault/import/contract.ts'
import type { ImportTexts } from './texts.ts'

type Taken = InferOutput<ImportOutputs['take']>
type Problem = Extract<Taken, { problem: unknown }> | { problem: 'failed' }
export type ViewPorts = {
  document: Document
  texts: ImportTexts
  clock: Clock
  /** Takes the texts as UTF-8 bytes, which the view wipes. */
  take: (text: Uint8Array<ArrayBuffer>, passphrase?: Uint8Array<ArrayBuffer>) => Promise<Taken>
  /** Records in the vault that the user agreed to this address. */
  agree: (address: string) => Promise<void>
  forget: () => void
}
export type View = {
  /** Resolves with the address that the user agreed to, of the key that they typed. */
  askForKey: () => Promise<string>
  /** Resolves when the user agreed to the address of the key that the vault has. */
  confirm: (address: string) => Promise<string>
  hide: () => void
  clear: () => void
}

export function createView({ document, texts, clock, take, agree, forget }: ViewPorts): View {
  // The heading gets the focus on each screen, so the button's gate sees the focus arrive.
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
    stopSensing()
    tell(undefined)
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
        (one, at) => new Option(texts.option({ number: at + 1, address: ends(one) }), `${at}`),
      ),
    )
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
    const press = make('div', { className: 'press' })
    const card = make('section', { className: 'review' }, shown, question, press)
    accounts.addEventListener('change', () => {
      selectedAddress = addresses[accounts.selectedIndex] ?? ''
      show()
    })
    main.replaceChildren(heading, card, ...(isTyped ? [another, clipboard] : []))
    status.textContent = ''
    show()
    if (addresses.length > 1) accounts.focus()
    else heading.focus()

    /** Starts the gate again, because another address is to be approved. */
    function show() {
      stopSensing()
      address.replaceChildren(...withBreaks(selectedAddress))
      const yes = gatedButton(texts.yes, texts.gate, clock, () => void confirmAddress())
      press.replaceChildren(yes.button, yes.status)
      stopSensing = yes.sense(sampleFrame(card))
    }

    async function confirmAddress() {
      stopSensing()
      main.replaceChildren(heading, shown)
      accounts.disabled = true
      status.textContent = texts.importing
      const mine = agreement
      try {
        await agree(selectedAddress)
        mine?.resolve(selectedAddress)
      } catch (error) {
        // The key expired, or another one replaced it.
        mine?.reject(error)
      }
    }
  }

  async function clearClipboard(offered: HTMLElement) {
    if (!(await copyText(document, ' '))) return
    offered.hidden = true
    status.textContent = texts.cleared
  }

  /** Rejects the pending request, because the vault no longer has its key. */
  function awaitAgreement(): Promise<string> {
    agreement?.reject(new LatchkeyError('invalid_data', 'Another key was requested'))
    agreement = Promise.withResolvers()
    return agreement.promise
  }

  return {
    askForKey() {
      ask()
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

const isOfPhrase = (problem: Problem['problem']) =>
  problem === 'word_count' || problem === 'unknown_word' || problem === 'wrong_checksum'

/** Words, or the characters that are words of Chinese. What it is exactly, the vault says. */
const isPhrase = (text: string) => /\S\s+\S|\p{Script=Han}/u.test(text)

const ends = (address: string) => `${address.slice(0, 6)}…${address.slice(-4)}`
