import { productKey, productName } from '@latchkey/protocol'
import type { HostViewport } from '@latchkey/protocol/host'
import { lockScroll } from './scroll-lock.ts'
import { adoptStyles } from './style-sheet.ts'
import { insetStyle, readViewport } from './viewport.ts'

/**
 * The only element that the loader adds to a page: a native dialog that contains the frame.
 *
 * It is a child of the root element, so frameworks that replace the body keep it, and host modals that hide or
 * disable the body's children do not affect it. Styles are set by CSSOM, which a `style-src` policy allows.
 * They are `!important`, because host pages style `iframe` and `dialog` too.
 */
export type Frame = {
  window: Window
  /** False if the frame was removed or contains another window. */
  isAlive(): boolean
  /** Whether the dialog or the empty card covers the page. */
  isShown(): boolean
  /** Whether only the empty card covers the page. */
  isEmpty(): boolean
  /** Covers the page with an empty card of this color. */
  showEmpty(colour: string, heightPx: number): void
  show(): void
  /** Removes the empty card when the dialog has drawn its own. */
  clearEmpty(): void
  hide(): void
  viewport(): HostViewport
  colorScheme(): ColorScheme
  remove(): void
}
export type ColorScheme = 'light' | 'dark' | 'normal'

const cover = 'all:initial;color-scheme:inherit;inset:0;width:100%;height:100%;'
const dialogStyle = `${cover}position:fixed;${insetStyle}`
const iframeStyle = `${cover}position:absolute`

/** Permissions policy features of the dialog. */
const permissions = [
  'publickey-credentials-get',
  'publickey-credentials-create',
  'otp-credentials',
  'clipboard-write',
]

/** Creates the frame. `onClose` runs when the user closes the empty card. */
export function createFrame(url: string, onLoad: () => void, onClose: () => void): Frame {
  const { origin } = new URL(url)
  const dialog = document.createElement('dialog')
  const iframe = document.createElement('iframe')
  const removeStyles = adoptStyles(rules)
  let empty = false
  let unlock: (() => void) | undefined
  /**
   * The ancestors of the focused element, innermost first. The element itself may be gone when the card closes.
   */
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

  // The dialog inside handles Escape. If the browser closes without a cancelable event (it does so after two
  // prevented closes, https://html.spec.whatwg.org/#close-watcher), the dialog opens again: only the frame
  // decides.
  dialog.addEventListener('cancel', (event) => {
    event.preventDefault()
    if (empty) onClose()
    else iframe.focus()
  })
  dialog.addEventListener('close', () => {
    // A dialog that `hide` closed may be open again when its close event arrives.
    if (!unlock || dialog.open || !dialog.isConnected) return
    if (empty) onClose()
    else open()
  })

  document.documentElement.append(dialog)
  const { contentWindow } = iframe
  if (!contentWindow) throw new Error('No window')

  /** Sets `display` with higher priority than host rules such as `dialog { display: flex }`. */
  function display(value: string) {
    dialog.style.setProperty('display', value, 'important')
  }

  function cover(isEmpty: boolean) {
    empty = isEmpty
    // Browsers draw an opaque page while a frame loads or fails.
    iframe.style.setProperty('visibility', isEmpty ? 'hidden' : 'visible', 'important')
    unlock ??= lockScroll()
    open()
  }

  const clearEmpty = () => dialog.setAttribute(attribute, '')

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
   * Restores the focus. If the browser could not return it to the previous element, the nearest visible
   * ancestor receives it, so that Tab continues from there.
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
    clearEmpty()
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
    clearEmpty,
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
 * Rules for pseudo-elements, which have no `style`. The dialog draws the backdrop inside the frame.
 *
 * The empty card has the position and width of the dialog's card beneath it, and roughly the expected height.
 * When the dialog has drawn its card, this backdrop fades out while the dialog's fades in, and the empty card
 * goes once it is covered. The backdrop animates opacity, because repainting at each step would leave the page
 * twice as dark.
 */
const attribute = `data-${productKey}`
const selector = `dialog[${attribute}]`
const rules =
  `${selector}::backdrop{background:rgb(8 10 14/.5)!important;backdrop-filter:none!important;opacity:0!important;transition:opacity .18s}` +
  `${selector}::before{content:"";position:absolute;inset:0;margin:auto;width:min(376px,100% - 32px);height:var(--${attribute}-height);border-radius:20px;background:var(--${attribute});opacity:0;transition:opacity 0s .22s}` +
  `${selector}[${attribute}=empty]::before,${selector}[${attribute}=empty]::backdrop{opacity:1!important;transition:none}` +
  `@media(max-width:440px){${selector}::before{margin:auto 0 0;width:100%;border-radius:20px 20px 0 0}}`

/**
 * Returns the color scheme for the frame's document. A transparent frame with another scheme is painted opaque.
 */
export function usedColorScheme(computed: string): ColorScheme {
  const dark = computed.includes('dark')
  if (!computed.includes('light')) return dark ? 'dark' : 'normal'
  return dark && matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
}
