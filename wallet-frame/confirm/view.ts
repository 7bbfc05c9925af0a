/** The page as its user sees it: one state after the other, each drawn anew. */
import { emailLimits } from '@latchkey/protocol'
import type { Clock } from '../clock.ts'
import { button, make } from '../pages/elements.ts'
import { closedGate, type Gate, gateOf, notice } from './gate.ts'
import type { PageState, Reviewed } from './page-flow.ts'
import { senseApproval } from './senses.ts'
import { shownOf } from './shown.ts'
import type { ConfirmTexts } from './texts.ts'

export type ViewPorts = {
  readonly document: Document
  readonly clock: Clock
  readonly texts: ConfirmTexts
  readonly approve: () => void
  readonly refuse: () => void
  readonly sendCode: () => void
  readonly approveByCode: (code: string) => void
  readonly retry: () => void
}

export function createView(ports: ViewPorts) {
  const { document, clock, texts, approve, refuse, retry } = ports
  const main = make('main', {})
  document.body.replaceChildren(main)
  let endSensing = () => {}

  function draw(title: string, ...parts: readonly HTMLElement[]) {
    endSensing()
    endSensing = () => {}
    document.title = title
    // Announced, and no button: a key that is on its way presses nothing.
    const heading = make('h1', { textContent: title, tabIndex: -1 })
    main.replaceChildren(heading, ...parts)
    heading.focus()
  }
  const over = ({ title, detail }: { readonly title: string; readonly detail: string }) =>
    draw(title, lead(detail))

  function drawRequest(reviewed: Reviewed, ...rest: readonly HTMLElement[]) {
    const { title, detail, parts } = shownOf(reviewed, texts)
    const { appName, origin } = reviewed.record
    draw(title, asker(appName, origin), ...(detail === undefined ? [] : [lead(detail)]), ...parts, ...rest)
  }

  function reviewByCode(reviewed: Reviewed) {
    drawRequest(
      reviewed,
      note(texts.code.cutOff),
      button('primary', texts.code.send, ports.sendCode),
      button('', texts.refuse, refuse),
    )
  }

  function enterCode({ sentTo, problem, ...reviewed }: Extract<PageState, { status: 'code' }>) {
    const { code: words } = texts
    const field = make('input', {
      id: 'code',
      name: 'code',
      inputMode: 'numeric',
      autocomplete: 'one-time-code',
      maxLength: emailLimits.codeLength,
      required: true,
      pattern: `[0-9]{${emailLimits.codeLength}}`,
      dir: 'ltr',
    })
    const said = make('p', {
      className: 'said',
      role: 'status',
      id: 'said',
      textContent: problem ? words.problems[problem] : words.sent(sentTo),
    })
    field.setAttribute('aria-describedby', said.id)
    if (problem) field.ariaInvalid = 'true'
    const form = make('form', {})
    form.append(
      make('label', { htmlFor: field.id, textContent: words.label(location.host) }),
      field,
      said,
      make('button', { className: 'primary', type: 'submit', textContent: words.confirm }),
    )
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      if (event.isTrusted && form.reportValidity()) ports.approveByCode(field.value)
    })
    drawRequest(reviewed, form, button('text', words.again, ports.sendCode), button('', texts.refuse, refuse))
    field.focus()
  }

  function review(reviewed: Reviewed) {
    const { go } = shownOf(reviewed, texts)
    const said = make('p', { className: 'said', role: 'status', id: 'said' })
    const press = make('button', { className: 'primary', type: 'button', textContent: go })
    press.setAttribute('aria-describedby', said.id)
    drawRequest(reviewed, press, button('', texts.refuse, refuse), said)
    let gate = closedGate
    let shown: Gate | undefined
    endSensing = senseApproval(press, clock, (noticed) => {
      gate = notice(gate, noticed)
      if (gate.isGiven) return approve()
      const next = gateOf(gate)
      if (next.state === shown?.state && next.asks === shown.asks) return
      shown = next
      press.dataset.gate = next.state
      press.textContent = next.asks ? texts.gate.again : go
      said.textContent = saidOf(next)
    })
  }

  function saidOf({ state }: Gate): string {
    switch (state) {
      case 'small':
        return texts.gate.small
      case 'waiting':
        return texts.gate.waiting
      case 'armed':
      case 'ready':
        return texts.gate.armed
      default:
        return state satisfies never
    }
  }

  function deciding() {
    endSensing()
    for (const each of main.querySelectorAll('button')) each.disabled = true
    const press = main.querySelector('button[data-gate], form button')
    if (press) press.textContent = texts.deciding
  }

  return {
    show(state: PageState) {
      switch (state.status) {
        case 'reading':
        case 'approved':
        case 'refused':
          return over(texts[state.status])
        case 'problem':
          return over(texts.problems[state.problem])
        case 'unreachable': {
          const { title, detail, retry: again } = texts.unreachable
          return draw(title, lead(detail), button('primary', again, retry))
        }
        case 'review':
          return state.by === 'press' ? review(state) : reviewByCode(state)
        case 'code':
          return enterCode(state)
        case 'deciding':
          return deciding()
        default:
          return state satisfies never
      }
    },
  }
}

const note = (textContent: string) => make('p', { className: 'note', textContent })
const lead = (textContent: string) => make('p', { className: 'lead', textContent })

/** The name is what the app says of itself; the origin is what the browser vouches for. */
function asker(appName: string, origin: string | null): HTMLElement {
  const whole = make('p', { className: 'asker' }, make('bdi', { className: 'app', textContent: appName }))
  if (origin !== null) {
    whole.append(make('bdi', { textContent: origin.replace(/^https:\/\//, ''), dir: 'ltr' }))
  }
  return whole
}
