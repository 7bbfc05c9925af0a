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
  readonly window: Window
  /** False once the frame, or the document in it, is not the one that was made. */
  isAlive(): boolean
  isShown(): boolean
  show(): void
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

export function createFrame(url: string, onLoad: () => void): Frame {
  const { origin } = new URL(url)
  const dialog = document.createElement('dialog')
  const iframe = document.createElement('iframe')
  const removeStyles = clearBackdrop(dialog)
  let unlock: (() => void) | undefined

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
    iframe.focus()
  })
  dialog.addEventListener('close', () => {
    if (unlock && dialog.isConnected) open()
  })

  document.documentElement.append(dialog)
  const { contentWindow } = iframe
  if (!contentWindow) throw new Error('A frame in the document has a window')

  /** Without this a rule of the host such as `dialog { display: flex }` would leave it over the page. */
  function display(value: string) {
    dialog.style.setProperty('display', value, 'important')
  }

  function open() {
    display('block')
    if (!dialog.open) dialog.showModal()
    iframe.focus()
  }

  function hide() {
    if (!unlock) return
    unlock()
    unlock = undefined
    dialog.close()
    display('none')
  }

  return {
    window: contentWindow,
    isAlive: () => iframe.isConnected && iframe.contentWindow === contentWindow,
    isShown: () => unlock !== undefined,
    show() {
      unlock ??= lockScroll()
      open()
    },
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

/** A pseudo-element has no `style`; the card's own backdrop is drawn inside the frame. */
function clearBackdrop(dialog: HTMLElement): () => void {
  const name = `data-${productKey}`
  dialog.setAttribute(name, '')
  return adoptStyles(
    `dialog[${name}]::backdrop{background:transparent!important;backdrop-filter:none!important}`,
  )
}

/** The frame's document takes the same: a transparent frame of another scheme is painted opaque. */
export function usedColorScheme(computed: string): ColorScheme {
  const dark = computed.includes('dark')
  if (!computed.includes('light')) return dark ? 'dark' : 'normal'
  return dark && matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
}
