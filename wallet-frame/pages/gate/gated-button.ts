/** A button whose press approves something: it counts as `gate.ts` says, and tells its user why it does not yet. */
import type { Clock } from '../../clock.ts'
import { make } from '../elements.ts'
import type { Texts } from '../texts.arb'
import { closedGate, type Gate, gateOf, notice } from './gate.ts'
import { type Sampler, sampleWindow, senseApproval } from './senses.ts'

export type GateTexts = Texts['gate']

export type GatedButton = {
  button: HTMLButtonElement
  /** The status line beside the button. */
  status: HTMLElement
  /** Starts to sample the page once the button is in it, and returns a function that ends it. */
  sense: (sampler?: Sampler) => () => void
}

let made = 0

export function gatedButton(
  label: string,
  texts: GateTexts,
  clock: Clock,
  onApproval: () => void,
): GatedButton {
  // A page may have more than one.
  made += 1
  const status = make('p', { className: 'status', role: 'status', id: `status-${made}` })
  const button = make('button', { className: 'primary', type: 'button', textContent: label })
  button.setAttribute('aria-describedby', status.id)
  let gate = closedGate
  let shown: Gate | undefined
  return {
    button,
    status,
    sense: (sampler = sampleWindow) =>
      senseApproval(button, sampler, clock, (noticed) => {
        gate = notice(gate, noticed)
        if (gate.isGiven) return onApproval()
        const next = gateOf(gate)
        if (next.state === shown?.state && next.asks === shown.asks) return
        shown = next
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
