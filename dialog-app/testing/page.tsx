/** Renders a fixture's dialog into a document, so that tests press what a user presses. */
import { product } from '@latchkey/protocol'
import type { GateEvent, VisibilityMethod } from '@latchkey/protocol/browser'
import { seenFrom, tapped } from '@latchkey/protocol/browser/testing'
import type { OpenedWindowState } from '@latchkey/protocol/wallet'
import {
  configure,
  findByRole,
  findByText,
  getByRole,
  queryAllByText,
  queryByRole,
  waitFor,
} from '@testing-library/dom'
import { userEvent } from '@testing-library/user-event'
import { createStore } from 'jotai/vanilla'
import { createRoot } from 'react-dom/client'
import { onTestFinished } from 'vitest'
import { settingsAtom, viewAtom } from '../shell/atoms.ts'
import { Root } from '../shell/root.tsx'
import { dispatchPress, simulateVisibility } from './card-visibility.ts'
import { settle } from './clock.ts'
import type { Fixture } from './fixture.ts'

// A deadline for hanging tests. Speed decides no test.
configure({ asyncUtilTimeout: 20_000 })

type Rendered = Pick<Fixture, 'settings' | 'view' | 'onView'> & {
  stage: Pick<Fixture['stage'], 'back' | 'close' | 'skip' | 'lose'>
}
type Name = string | RegExp | ((text: string) => boolean)
type Button = Name | { name: Name; description: string }

const byRole = (button: Button) =>
  typeof button === 'object' && 'name' in button ? button : { name: button }

export type Page = ReturnType<typeof render>
const pages = new WeakMap<object, Page>()

/** Renders the dialog, or returns its page if it is rendered already. */
export function renderDialog(fixture: Rendered, options: { visibility?: VisibilityMethod } = {}): Page {
  const page = pages.get(fixture.onView) ?? render(fixture, options)
  pages.set(fixture.onView, page)
  return page
}

/** Enters an e-mail address on the present screen, and submits it. */
export async function submitEmail(fixture: Rendered, address: string): Promise<Page> {
  const page = renderDialog(fixture)
  await page.fill('E-mail', address)
  await page.press('Submit e-mail address')
  return page
}

/** Enters a phone number with its calling code on the present screen, and submits it. */
export async function submitPhone(fixture: Rendered, number: string): Promise<Page> {
  const page = renderDialog(fixture)
  await page.fill('Phone number', '')
  await page.paste('Phone number', number)
  await page.press('Submit phone number')
  return page
}

function render(
  { settings, view, onView, stage }: Rendered,
  { visibility = 'composited' }: { visibility?: VisibilityMethod } = {},
) {
  const visible = simulateVisibility(visibility)
  const store = createStore()
  store.set(settingsAtom, settings())
  const show = () => {
    const present = view()
    if (present) store.set(viewAtom, present)
  }
  onView(show)
  show()
  const element = document.body.appendChild(document.createElement('div'))
  const root = createRoot(element)
  root.render(<Root core={{ store, ...stage, drawn: () => {}, focused: () => {} }} />)
  onTestFinished(() => {
    root.unmount()
    element.remove()
  })
  // A hidden document has no animations, so that the screen before leaves at once.
  Object.defineProperty(document, 'hidden', { configurable: true, value: true })
  const user = userEvent.setup({ delay: null })
  const has = (text: Name) => queryAllByText(element, text).some(isVisible)
  const findApproveButton = () => waitFor(() => requireVisible(element, '[data-gate]'))

  /** Waits for an approval, and lets its card notice these events. */
  async function notice(events: readonly GateEvent[]) {
    await findApproveButton()
    for (const event of events) {
      if (event.type === 'sample') visible.sample(event.sample, event.atMs)
      else dispatchPress(await findApproveButton(), event)
      await settle()
    }
  }

  return {
    /** Waits for the text. */
    async see(text: Name) {
      await waitFor(() => {
        if (!has(text)) throw new Error(`${text} is not among: ${visibleTexts(element).join(' | ')}`)
      })
    },
    has,
    hasButton: (name: Name) => queryByRole(element, 'button', { name }) !== null,
    /** Returns the fields and the buttons below the header, without the buttons of fields. */
    controls: () =>
      [...element.querySelectorAll('[data-part="inside"] :is(button, input)')]
        .filter((each) => isVisible(each) && !each.closest('header, form button'))
        .map((each) => {
          const texts = visibleTexts(each)
          const name = each.getAttribute('aria-label') ?? texts[0] ?? ''
          return { name, text: texts.join(' '), isBusy: each.getAttribute('aria-busy') === 'true' }
        }),
    focus: (button: string) => getByRole(element, 'button', { name: button }).focus(),
    hasFocus: (button: string) => getByRole(element, 'button', { name: button }) === document.activeElement,
    /** Returns the address of the link. */
    link: (name: Name) => queryByRole(element, 'link', { name })?.getAttribute('href'),
    /** Returns every visible text, in document order. */
    texts: () => visibleTexts(element),
    /** Waits for the button, and presses it. */
    async press(button: Button) {
      await user.click(await findByRole(element, 'button', byRole(button)))
      await settle()
    },
    /** Waits for the text of a button, and presses it. An icon button of the header may have the same name. */
    async pressText(text: string) {
      await user.click(await findByText(element, text))
      await settle()
    },
    /** Waits for the button, and presses it twice at once. */
    async doublePress(button: Button) {
      await user.dblClick(await findByRole(element, 'button', byRole(button)))
      await settle()
    },
    /** Returns the address of the wallet origin's button, or undefined without such a button. */
    walletButtonUrl: () => visibleElement(element, 'iframe[src*="open-window"]')?.getAttribute('src'),
    /** Waits for the button of the wallet origin, and reports that a press on it opened its window. */
    async openWalletWindow(state: OpenedWindowState = 'open') {
      const frame = await waitFor(() => {
        const shown = visibleElement(element, 'iframe[src*="open-window"]') as HTMLIFrameElement | undefined
        if (!shown) throw new Error(`No wallet button is among: ${visibleTexts(element).join(' | ')}`)
        return shown
      })
      // The simulated document gives a frame no window.
      Object.defineProperty(frame, 'contentWindow', { configurable: true, value: window })
      const { origin, hash } = new URL(frame.src)
      const data = { type: `${product.eventPrefix}window`, handle: hash.slice(1), state }
      window.dispatchEvent(new MessageEvent('message', { source: window, origin, data }))
      await settle()
    },
    notice,
    /** Waits for an approval, sees its card for 700 ms, and taps its button. */
    approve: () => notice([...seenFrom(0), ...tapped(710)]),
    /** Returns the state of the gate that the approve button shows, or undefined without such a button. */
    gate: () => visibleElement(element, '[data-gate]')?.getAttribute('data-gate'),
    /** Waits for the field, and types into it. */
    async type(label: Name, text: string) {
      await user.type(await findByRole(element, 'textbox', { name: label }), text)
      await settle()
    },
    /** Waits for the field, and replaces its text. */
    async fill(label: Name, text: string) {
      const field = await findByRole(element, 'textbox', { name: label })
      await user.clear(field)
      if (text !== '') await user.type(field, text)
      await settle()
    },
    /** Presses a key in the focused control. */
    async pressKey(key: string) {
      await user.keyboard(`{${key}}`)
      await settle()
    },
    /** Returns whether the button reports that it is busy. */
    isBusy: (name: Name) => queryByRole(element, 'button', { name })?.getAttribute('aria-busy') === 'true',
    /** Waits for the field, and pastes into it. */
    async paste(label: Name, text: string) {
      await user.click(await findByRole(element, 'textbox', { name: label }))
      await user.paste(text)
      await settle()
    },
    /** Returns the text in the field. */
    value: (label: Name) => queryByRole<HTMLInputElement>(element, 'textbox', { name: label })?.value,
  }
}

/** Covered screens stay mounted in a hidden element, and a screen that leaves stays for a moment. */
const isVisible = (element: Element | null) =>
  element !== null && element.closest('[hidden], [data-leaving="true"]') === null

const visibleElement = (element: Element, selector: string) =>
  [...element.querySelectorAll(selector)].find(isVisible)

function requireVisible(element: Element, selector: string): Element {
  const found = visibleElement(element, selector)
  if (!found) throw new Error(`No ${selector} is among: ${visibleTexts(element).join(' | ')}`)
  return found
}

function visibleTexts(element: Element): readonly string[] {
  const texts: string[] = []
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.textContent?.trim()
    if (text && isVisible(node.parentElement)) texts.push(text)
  }
  return texts
}
