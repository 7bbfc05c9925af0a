/** Renders the confirmation page. Each state is drawn anew. */
import { formatText } from '@latchkey/protocol/texts'
import type { Clock } from '../clock.ts'
import { createDrawing, lead, note, requesterLine } from '../pages/drawing.ts'
import { button, make } from '../pages/elements.ts'
import { codeField } from '../pages/fields.ts'
import { createGatedButton } from '../pages/gated-button.ts'
import type { PageState, PasskeyProblem, Reviewed } from './page-flow.ts'
import { renderRequest } from './shown.ts'
import type { ConfirmTexts } from './texts.ts'

export type ViewPorts = {
  document: Document
  clock: Clock
  texts: ConfirmTexts
  approve: () => void
  refuse: () => void
  approveByPasskey: () => void
  sendCode: () => void
  approveByCode: (code: string) => void
  retry: () => void
}

type ReviewState = Extract<PageState, { status: 'review' }>

export function createView(ports: ViewPorts) {
  const { document, clock, texts, approve, refuse, retry } = ports
  const { main, draw, until, settle } = createDrawing(document)
  const drawText = ({ title, detail }: { title: string; detail: string }) => draw(title, lead(detail))

  function drawRequest(reviewed: Reviewed, ...rest: readonly HTMLElement[]) {
    const { title, detail, parts } = renderRequest(reviewed, texts)
    const { appName, origin, requester } = reviewed.record
    const requesterParts = requester
      ? [requesterLine(requester.name, requester.url), unverified(requester.url)]
      : [requesterLine(appName, origin)]
    draw(title, ...requesterParts, ...(detail === undefined ? [] : [lead(detail)]), ...parts, ...rest)
  }

  /** Warns about an unverified dapp. */
  const unverified = (url: string) => warning(texts.relayed.unverified({ host: new URL(url).host }))

  const statusText = (problem: PasskeyProblem | undefined) =>
    problem ? [make('p', { className: 'status', role: 'status', textContent: texts.passkey[problem] })] : []

  function reviewByCode({ problem, ...reviewed }: ReviewState) {
    drawRequest(
      reviewed,
      note(texts.code.cutOff),
      foot(
        button('primary', texts.code.send, ports.sendCode),
        button('', texts.refuse, refuse),
        ...statusText(problem),
      ),
    )
  }

  function reviewByPasskey({ problem, ...reviewed }: ReviewState) {
    const press = createGatedButton(texts.passkey.go, texts.gate, clock, ports.approveByPasskey)
    drawRequest(
      reviewed,
      note(texts.passkey.cutOff),
      foot(
        press.button,
        button('', texts.code.send, ports.sendCode),
        button('', texts.refuse, refuse),
        ...statusText(problem),
        press.status,
      ),
    )
    until(press.sense())
  }

  function enterCode({ code: sent, problem, ...reviewed }: Extract<PageState, { status: 'code' }>) {
    const { code: words } = texts
    const { by, sentTo } = sent
    const field = codeField()
    const status = make('p', {
      className: 'status',
      role: 'status',
      id: 'status',
      textContent: problem ? words.problems[problem] : formatText(words.sent[by], { to: sentTo ?? '' }),
    })
    field.setAttribute('aria-describedby', status.id)
    if (problem) field.ariaInvalid = 'true'
    const form = make('form', {})
    form.append(
      make('label', { htmlFor: field.id, textContent: words.label[by]({ hostname: location.host }) }),
      field,
      status,
      make('button', { className: 'primary', type: 'submit', textContent: words.confirm }),
    )
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      if (event.isTrusted && form.reportValidity()) ports.approveByCode(field.value)
    })
    const again = by === 'totp' ? [] : [button('text', words.again, ports.sendCode)]
    drawRequest(reviewed, form, ...again, button('', texts.refuse, refuse))
    field.focus()
  }

  function review(reviewed: ReviewState) {
    const { go } = renderRequest(reviewed, texts)
    const press = createGatedButton(go, texts.gate, clock, approve)
    const { content } = reviewed
    if (content.type === 'action' && content.action === 'delete-account') press.button.classList.add('danger')
    drawRequest(reviewed, foot(press.button, button('', texts.refuse, refuse), press.status))
    until(press.sense())
  }

  const reviews = { press: review, passkey: reviewByPasskey, code: reviewByCode }

  function deciding() {
    settle()
    for (const each of main.querySelectorAll('button')) each.disabled = true
    const press = main.querySelector('button[data-gate], form button')
    if (press) press.textContent = texts.deciding
  }

  return {
    show(state: PageState) {
      switch (state.status) {
        case 'reading':
        case 'waiting':
        case 'approved':
        case 'refused':
          return drawText(texts[state.status])
        case 'problem':
          return drawText(texts.problems[state.problem])
        case 'unreachable': {
          const { title, detail, retry: again } = texts.unreachable
          return draw(title, lead(detail), button('primary', again, retry))
        }
        case 'review':
          return reviews[state.by](state)
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

/** Creates a footer that stays in the window while the request scrolls under it. */
const foot = (...parts: readonly HTMLElement[]) => make('div', { className: 'foot' }, ...parts)
const warning = (textContent: string) => make('p', { textContent, className: 'warning' })
