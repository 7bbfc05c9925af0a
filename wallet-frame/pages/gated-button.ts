/** An approve button with the approval gate, and a status line that explains why a press does not count yet. */
import {
  createGate,
  type Gate,
  listenForGateEvents,
  reduceGate,
  type Sampler,
  type Surface,
  toGate,
  type VisibilitySample,
  windowSurface,
} from '@latchkey/protocol/browser'
import type { Clock } from '../clock.ts'
import { make } from './elements.ts'
import type { Texts } from './texts.arb'

export type GateTexts = Texts['gate']

export type GatedButton = {
  button: HTMLButtonElement
  /** The status line beside the button. */
  status: HTMLElement
  /** Starts sampling the page once the button is in it. Returns a function that stops sampling. */
  sense: (place?: ButtonPlace) => () => void
}

/** The place of the page, in a window or a frame, with its rules and samples. */
export type ButtonPlace = { surface: Surface; createSampler: (button: HTMLElement, clock: Clock) => Sampler }

/** The states of the gate that the page tells apart. */
const shownStates = {
  waiting: 'waiting',
  arming: 'waiting',
  hidden: 'waiting',
  unreadable: 'small',
  armed: 'armed',
  settling: 'armed',
  ready: 'ready',
} as const satisfies { [state in Gate['state']]: string }

let buttonCount = 0

export function createGatedButton(
  label: string,
  texts: GateTexts,
  clock: Clock,
  onApproval: () => void,
): GatedButton {
  // Makes the element ID unique, because a page may have several gated buttons.
  buttonCount += 1
  const status = make('p', { className: 'status', role: 'status', id: `status-${buttonCount}` })
  const button = make('button', { className: 'primary', type: 'button', textContent: label })
  button.setAttribute('aria-describedby', status.id)

  function sense({ surface, createSampler } = inWindow) {
    let gate = createGate(surface)
    return listenForGateEvents(button, createSampler(button, clock), (event) => {
      gate = reduceGate(gate, event)
      if (gate.isApproved) return onApproval()
      const { state, asks } = toGate(gate)
      const shownState = shownStates[state]
      const text = asks ? texts.again : label
      if (button.dataset.gate === shownState && button.textContent === text) return
      button.dataset.gate = shownState
      button.textContent = text
      status.textContent = texts[shownState === 'ready' ? 'armed' : shownState]
    })
  }
  return { button, status, sense }
}

const SAMPLE_EVERY_MS = 50

/** The window must have the focus. */
const inWindow: ButtonPlace = {
  surface: windowSurface,
  createSampler: (button, clock) => (onSample) => {
    let stopTimer = () => {}
    const sample = () => {
      onSample(measureButton(button, 'top-level', document.hasFocus()))
      stopTimer = clock.after(SAMPLE_EVERY_MS, sample)
    }
    sample()
    return () => stopTimer()
  },
}

/** Measures the window. It is visible if it is in front and the whole button is inside it. */
export function measureButton(
  button: HTMLElement,
  method: VisibilitySample['method'],
  isInFront: boolean,
): VisibilitySample {
  const { top, bottom, left, right } = button.getBoundingClientRect()
  const { innerWidth: widthPx, innerHeight: heightPx, screenX: x, screenY: y, devicePixelRatio } = window
  return {
    method,
    visible: isInFront && top >= 0 && left >= 0 && bottom <= heightPx && right <= widthPx,
    card: { x, y, widthPx, heightPx },
    pixelRatio: devicePixelRatio,
  }
}
