// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { testClock } from '../testing/clock.ts'
import { createGatedButton } from './gated-button.ts'

const texts = { waiting: 'Wait', armed: 'Go ahead', again: 'Press again', small: 'Too small' }
const window = { innerWidth: 500, innerHeight: 700, screenX: 100, screenY: 50, devicePixelRatio: 1 }

beforeEach(() => {
  for (const [name, value] of Object.entries(window)) vi.stubGlobal(name, value)
  vi.spyOn(document, 'hasFocus').mockReturnValue(true)
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

/** Creates a button at this place in the window, and samples the page for some time. */
function open({ top = 600, left = 20 } = {}) {
  const clock = testClock()
  vi.spyOn(performance, 'now').mockImplementation(clock.nowMs)
  const onApproval = vi.fn()
  const { button, status, sense } = createGatedButton('Approve', texts, clock, onApproval)
  document.body.replaceChildren(button, status)
  vi.spyOn(button, 'getBoundingClientRect').mockImplementation(() => new DOMRect(left, top, 300, 48))
  sense()
  return {
    button,
    onApproval,
    shown: () => [button.dataset.gate, button.textContent, status.textContent],
    advance(ms: number) {
      for (let passedMs = 0; passedMs < ms; passedMs += 50) clock.advance(50)
    },
    click(isTrusted: boolean) {
      const event = new MouseEvent('click')
      Object.defineProperty(event, 'isTrusted', { value: isTrusted })
      Object.defineProperty(event, 'timeStamp', { value: clock.nowMs() })
      button.dispatchEvent(event)
    },
  }
}

test('arms after the window had the focus for 700 ms, and says so', () => {
  const page = open()
  page.advance(650)
  expect(page.shown()).toEqual(['waiting', 'Approve', 'Wait'])
  page.advance(50)
  expect(page.shown()).toEqual(['armed', 'Approve', 'Go ahead'])
})

test('does not arm in a window without focus', () => {
  vi.spyOn(document, 'hasFocus').mockReturnValue(false)
  const page = open()
  page.advance(5_000)
  expect(page.shown()).toEqual(['waiting', 'Approve', 'Wait'])
})

test.each([
  ['above', { top: -1 }],
  ['below', { top: 653 }],
  ['left of', { left: -1 }],
  ['right of', { left: 201 }],
])('does not arm a button that is partly %s the window', (_where, place) => {
  const page = open(place)
  page.advance(5_000)
  expect(page.shown()).toEqual(['waiting', 'Approve', 'Wait'])
})

test('reports a window that is too small', () => {
  vi.stubGlobal('innerHeight', 199)
  const page = open({ top: 100 })
  page.advance(2_000)
  expect(page.shown()).toEqual(['small', 'Approve', 'Too small'])
})

test('asks for a second press of assistive technology, and ignores scripts', () => {
  const page = open()
  page.advance(700)
  page.click(true)
  expect(page.shown()).toEqual(['armed', 'Press again', 'Go ahead'])
  page.advance(500)
  page.click(false)
  expect(page.onApproval).not.toHaveBeenCalled()
  page.click(true)
  expect(page.onApproval).toHaveBeenCalledOnce()
})
