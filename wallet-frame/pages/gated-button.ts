/** A button whose press approves something: it counts as `gate.ts` says, and tells its user why it does not yet. */
import type { Clock } from '../clock.ts'
import { make } from './elements.ts'
import { closedGate, type Gate, gateOf, notice } from './gate.ts'
import type { InLanguages } from './languages.ts'
import { senseApproval } from './senses.ts'

export type GateTexts = {
  readonly waiting: string
  readonly armed: string
  readonly again: string
  readonly small: string
}

export const gateTexts: InLanguages<GateTexts> = {
  en: {
    waiting: 'The button can be pressed when this page was in front for a moment.',
    armed: 'The button can be pressed now.',
    again: 'Press again to confirm',
    small:
      'This window is too small to be read, so nothing can be confirmed in it. Make it larger, or set its zoom to 100%.',
  },
  ar: {
    waiting: 'يمكن الضغط على الزر بعد بقاء هذه الصفحة في المقدمة للحظة.',
    armed: 'يمكن الضغط على الزر الآن.',
    again: 'اضغط مرة أخرى للتأكيد',
    small: 'هذه النافذة أصغر من أن تُقرأ، لذا لا يمكن التأكيد فيها. وسّعها أو اضبط تكبيرها على 100٪.',
  },
}

export type GatedButton = {
  readonly button: HTMLButtonElement
  /** The status line beside the button. */
  readonly said: HTMLElement
  /** Looks at the window from now on, when the button stands in it. Answers how to end that. */
  readonly sense: () => () => void
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
  const said = make('p', { className: 'said', role: 'status', id: `said-${made}` })
  const button = make('button', { className: 'primary', type: 'button', textContent: label })
  button.setAttribute('aria-describedby', said.id)
  let gate = closedGate
  let shown: Gate | undefined
  return {
    button,
    said,
    sense: () =>
      senseApproval(button, clock, (noticed) => {
        gate = notice(gate, noticed)
        if (gate.isGiven) return onApproval()
        const next = gateOf(gate)
        if (next.state === shown?.state && next.asks === shown.asks) return
        shown = next
        button.dataset.gate = next.state
        button.textContent = next.asks ? texts.again : label
        said.textContent = saidOf(next, texts)
      }),
  }
}

function saidOf({ state }: Gate, texts: GateTexts): string {
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
