/**
 * A button with the approval gate of `gate.ts`, and a status line that explains why a press does not count
 * yet.
 */
import type { Clock } from '../../clock.ts'
import { make } from '../elements.ts'
import type { Texts } from '../texts.arb'
import { closedGate, type Gate, reduceGate, toGate } from './gate.ts'
import { type Sampler, sampleWindow, senseApproval } from './senses.ts'

export type GateTexts = Texts['gate']

export type GatedButton = {
  button: HTMLButtonElement
  /** The status line beside the button. */
  status: HTMLElement
  /** Starts sampling the page once the button is in it. Returns a function that stops sampling. */
  sense: (sampler?: Sampler) => () => void
}

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
  let gate = closedGate
  let shownGate: Gate | undefined
  return {
    button,
    status,
    sense: (sampler = sampleWindow) =>
      senseApproval(button, sampler, clock, (noticed) => {
        gate = reduceGate(gate, noticed)
        if (gate.isApproved) return onApproval()
        const next = toGate(gate)
        if (next.state === shownGate?.state && next.asks === shownGate.asks) return
        shownGate = next
        button.dataset.gate = next.state
        button.textContent = next.asks ? texts.again : label
        status.textContent = statusText(next, texts)
      }),
  }
}

function statusText({ state }: Gate, texts: GateTexts): string {
  switch (state) {
    case 'small':
      return texts.small
    case 'waiting':
      return texts.waiting
    case 'armed':
    case 'ready':
      return texts.armed
    default:
      return state satisfies never
  }
}
