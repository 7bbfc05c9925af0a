import { productKey, productName } from '@latchkey/protocol'
import type { HostViewport } from '@latchkey/protocol/host'
import { lockScroll } from './scroll-lock.ts'
import { adoptStyles } from './style-sheet.ts'
import { insetStyle, readViewport } from './viewport.ts'

/**
 * The one element that the loader puts on a page: a native dialog with the frame inside.
 *
 * It hangs on the root element, not in the body: frameworks that swap the body leave it alone, and modals of the
 * host that hide or disable the body's children do not reach it. Styles are set by CSSOM, which a `style-src`
 * policy allows, and are important, because host pages have rules for `iframe` and `dialog` too.
 */
export type Frame = {
  window: Window
  /** False once the frame, or the document in it, is not the one that was made. */
  isAlive(): boolean
  /** Whether anything covers the page. */
  isShown(): boolean
  /** Whether that is the empty card alone. */
  isEmpty(): boolean
  /** Covers the page with a card of this colour, which has nothing on it. */
  showEmpty(colour: string, heightPx: number): void
  show(): void
  /** The dialog has drawn its own card: the empty one goes. */
  drawn(): void
  hide(): void
  viewport(): HostViewport
  colorScheme(): ColorScheme
  remove(): void
}
export type ColorScheme = 'light' | 'dark' | 'normal'

const cover = 'all:initial;color-scheme:inherit;inset:0;width:100%;height:100%;'
const dialogStyle = `${cover}position:fixed;${insetStyle}`
const iframeStyle = `${cover}position:absolute`

/** What the dialog may do for its user; the browser asks for each by name. */
const permissions = [
  'publickey-credentials-get',
  'publickey-credentials-create',
  'otp-credentials',
  'clipboard-write',
]

/** `onClose` runs when a person closes the empty card. */
export function createFrame(url: string, onLoad: () => void, onClose: () => void): Frame {
  const { origin } = new URL(url)
  const dialog = document.createElement('dialog')
  const iframe = document.createElement('iframe')
  const removeStyles = adoptStyles(rules)
  let empty = false
  let unlock: (() => void) | undefined
  /** What the focus stood in, from the inside: the button that asked may be gone when the card closes. */
  let focusAncestors: HTMLElement[] = []

  dialog.setAttribute(attribute, '')
  dialog.setAttribute('aria-label', productName)
  iframe.title = `${productName} login and wallet`
  setStyles(dialog, dialogStyle)
  setStyles(iframe, iframeStyle)
  display('none')
  iframe.allow = permissions.map((name) => `${name} ${origin}`).join('; ')
  iframe.addEventListener('load', onLoad)
  iframe.src = url
  dialog.append(iframe)

  // Escape belongs to the dialog inside. Where the browser closes without asking (it does so when a page holds
  // back twice, https://html.spec.whatwg.org/#close-watcher), the dialog comes back: only the frame decides.
  dialog.addEventListener('cancel', (event) => {
    event.preventDefault()
    if (empty) onClose()
    else iframe.focus()
  })
  dialog.addEventListener('close', () => {
    // One that was closed by `hide` may be open again by the time that this is heard.
    if (!unlock || dialog.open || !dialog.isConnected) return
    if (empty) onClose()
    else open()
  })

  document.documentElement.append(dialog)
  const { contentWindow } = iframe
  if (!contentWindow) throw new Error('No window')

  /**
   * A rule of the host such as `dialog { display: flex }` would leave the frame over the page; this one is stronger.
   */
  function display(value: string) {
    dialog.style.setProperty('display', value, 'important')
  }

  function cover(isEmpty: boolean) {
    empty = isEmpty
    // What a browser draws for a page that is on its way, or does not come, is not transparent.
    iframe.style.setProperty('visibility', isEmpty ? 'hidden' : 'visible', 'important')
    unlock ??= lockScroll()
    open()
  }

  const drawn = () => dialog.setAttribute(attribute, '')

  function open() {
    display('block')
    if (!dialog.open) {
      focusAncestors = []
      for (let at = document.activeElement?.parentElement; at; at = at.parentElement) focusAncestors.push(at)
      dialog.showModal()
    }
    iframe.focus()
  }

  /**
   * The browser gives the focus back to what had it, if that can still have it. Else what it stood in takes the focus,
   * so that the next Tab goes on from there.
   */
  function giveFocus() {
    const { activeElement, body } = document
    if (activeElement !== body && !dialog.contains(activeElement)) return
    const place = focusAncestors.find((each) => each.getClientRects()[0])
    if (!place?.hasAttribute('tabindex')) {
      place?.setAttribute('tabindex', '-1')
      place?.addEventListener('blur', () => place.removeAttribute('tabindex'), { once: true })
    }
    place?.focus({ preventScroll: true })
  }

  function hide() {
    if (!unlock) return
    unlock()
    unlock = undefined
    empty = false
    dialog.close()
    giveFocus()
    display('none')
    drawn()
  }

  return {
    window: contentWindow,
    isAlive: () => iframe.isConnected && iframe.contentWindow === contentWindow,
    isShown: () => unlock !== undefined,
    isEmpty: () => empty,
    showEmpty(colour, heightPx) {
      dialog.setAttribute(attribute, 'empty')
      dialog.style.setProperty(`--${attribute}`, colour)
      dialog.style.setProperty(`--${attribute}-height`, `${heightPx}px`)
      cover(true)
    },
    show: () => cover(false),
    drawn,
    hide,
    viewport: () => readViewport(dialog),
    colorScheme: () => usedColorScheme(getComputedStyle(iframe).colorScheme),
    remove() {
      hide()
      dialog.remove()
      removeStyles()
    },
  }
}

function setStyles(element: HTMLElement, declarations: string) {
  element.style.cssText = declarations.replaceAll(/;|$/g, '!important;')
}

/**
 * What pseudo-elements have, which have no `style`. The backdrop is drawn inside the frame. The empty card has the
 * place and the width of the dialog's, under it, and about the height of what comes: when the dialog has drawn its own,
 * the dim goes while the dialog's comes, and the card once that covers it. The dim goes by opacity, since a page
 * that is drawn anew for each step of it stays twice as dark meanwhile.
 */
const attribute = `data-${productKey}`
const selector = `dialog[${attribute}]`
const rules =
  `${selector}::backdrop{background:rgb(8 10 14/.5)!important;backdrop-filter:none!important;opacity:0!important;transition:opacity .18s}` +
  `${selector}::before{content:"";position:absolute;inset:0;margin:auto;width:min(376px,100% - 32px);height:var(--${attribute}-height);border-radius:20px;background:var(--${attribute});opacity:0;transition:opacity 0s .22s}` +
  `${selector}[${attribute}=empty]::before,${selector}[${attribute}=empty]::backdrop{opacity:1!important;transition:none}` +
  `@media(max-width:440px){${selector}::before{margin:auto 0 0;width:100%;border-radius:20px 20px 0 0}}`

/** The frame's document takes the same: a transparent frame of another scheme is painted opaque. */
export function usedColorScheme(computed: string): ColorScheme {
  const dark = computed.includes('dark')
  if (!computed.includes('light')) return dark ? 'dark' : 'normal'
  return dark && matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
}
