/** The page as its user sees it: one state after the other, each drawn anew. */
import { crossAppLimits } from '@latchkey/protocol/api'
import type { CloudRecovery } from '@latchkey/protocol/wallet'
import type { Clock } from '../clock.ts'
import { shownOf } from '../confirm/shown.ts'
import { codeField } from '../pages/code-field.ts'
import { createDrawing, lead, note } from '../pages/drawing.ts'
import { button, make } from '../pages/elements.ts'
import { gatedButton } from '../pages/gated-button.ts'
import { passwordField } from '../pages/password-field.ts'
import type { PageState, Requester } from './state.ts'
import type { CrossAppTexts } from './texts.ts'

type State<Status extends PageState['status']> = Extract<PageState, { readonly status: Status }>

/** Isolated (U+2066 to U+2069): what is read from the right would turn the sign around. */
const dollars = (whole: number) => `\u2066$${whole.toLocaleString('en')}\u2069`

/** The amount in dollars that the page suggests first. */
const firstDailyUsd = 100

export function createView({
  document,
  clock,
  texts,
}: {
  readonly document: Document
  readonly clock: Clock
  readonly texts: CrossAppTexts
}) {
  const { draw, until } = createDrawing(document)

  /** Enter does what the button does. */
  function form(parts: readonly HTMLElement[], label: string, submit: () => void) {
    const press = make('button', { className: 'primary', type: 'submit', textContent: label })
    const whole = make('form', {}, ...parts, press)
    whole.addEventListener('submit', (event) => {
      event.preventDefault()
      if (event.isTrusted) submit()
    })
    return whole
  }

  function password({ problem, give, cancel }: State<'password'>) {
    const { title, detail, label, go, show, hide } = texts.password
    const { input, parts, tell } = passwordField(label, { show, hide }, 'current-password')
    input.required = true
    tell(problem && texts.secretProblems[problem])
    const whole = form(parts, go, () => give(input.value))
    draw(title, lead(detail), whole, button('', texts.cancel, cancel))
    input.focus()
  }

  function passkey({ problem, ask, cancel }: State<'passkey'>) {
    const { title, detail, go } = texts.passkey
    draw(
      title,
      lead(detail),
      ...(problem ? [problemSaid(texts.secretProblems[problem])] : []),
      button('primary', problem ? texts.retry : go, ask),
      button('', texts.cancel, cancel),
    )
  }

  function cloud({ cloud: name, step, problem, open, cancel }: State<'cloud'>) {
    const { title, detail, go } = texts.cloud(cloudNames[name])
    const told = step === 'asking' ? undefined : texts.cloudSteps[step](cloudNames[name])
    draw(
      title,
      lead(detail),
      ...(problem ? [problemSaid(texts.secretProblems[problem])] : []),
      ...(told ? [make('p', { className: 'said', role: 'status', textContent: told })] : []),
      button('primary', step === 'asking' ? go : texts.retry, open),
      button('', texts.cancel, cancel),
    )
  }

  function factor(state: State<'factor'>) {
    const { factor: words } = texts
    const { method, others, sentTo, problem, cancel } = state
    const told = problem && words.problems[problem]
    const detail = method === 'sms' && sentTo !== undefined ? words.sent(sentTo) : words.detail[method]
    const rest = [
      ...others.map((other) => button('text', words.choose[other], () => state.choose(other))),
      button('', texts.cancel, cancel),
    ]
    if (method === 'passkey') {
      const press = button('primary', words.usePasskey, state.askPasskey)
      return draw(words.title, lead(detail), ...(told ? [problemSaid(told)] : []), press, ...rest)
    }
    const input = codeField()
    const said = problemSaid(told, input)
    const enter = form(
      [make('label', { htmlFor: input.id, textContent: words.label }), input, said],
      words.go,
      () => state.giveCode(input.value),
    )
    if (method === 'sms' && sentTo === undefined) {
      const send = button('primary', words.send, state.sendCode)
      return draw(words.title, lead(detail), ...(told ? [problemSaid(told)] : []), send, ...rest)
    }
    const again = method === 'sms' ? [button('text', words.again, state.sendCode)] : []
    draw(words.title, lead(detail), enter, ...again, ...rest)
    input.focus()
  }

  function consent({ requester, scopes, address, account, allow, deny, changeAccount }: State<'consent'>) {
    const { consent: words } = texts
    const sends = scopes.includes('wallet.send')
    const canSign = sends || scopes.includes('wallet.sign')
    const amount = make('input', {
      id: 'daily',
      inputMode: 'numeric',
      value: String(firstDailyUsd),
      autocomplete: 'off',
      dir: 'ltr',
    })
    const amountProblem = problemSaid(undefined, amount)
    const sending = make('li', {})
    const amountOf = () => (/^\d{1,7}$/.test(amount.value.trim()) ? Number(amount.value) : Number.NaN)
    const isGood = () => amountOf() <= crossAppLimits.maxDailyUsd
    function look() {
      amount.ariaInvalid = String(!isGood())
      amountProblem.textContent = isGood() ? '' : words.dailyWrong
      if (isGood()) sending.textContent = words.send(dollars(amountOf()))
    }
    amount.addEventListener('input', look)
    look()
    const grants = make(
      'ul',
      { className: 'grants' },
      ...(['profile', 'wallet.read', 'wallet.sign'] as const)
        .filter((scope) => scopes.includes(scope))
        .map((scope) => make('li', { textContent: words.scopes[scope] })),
      ...(sends ? [sending] : []),
    )
    const all = gatedButton(words.allow, texts.gate, clock, () => {
      if (!sends || isGood()) return allow({ isReadOnly: false, dailyUsd: sends ? amountOf() : 0 })
      amount.focus()
    })
    const reading = gatedButton(words.readOnly, texts.gate, clock, () =>
      allow({ isReadOnly: true, dailyUsd: 0 }),
    )
    reading.button.className = ''
    draw(
      words.title,
      asker(requester),
      note(words.verified),
      make('h2', { className: 'section', textContent: words.may }),
      grants,
      ...(canSign ? [make('p', { className: 'each', textContent: words.each })] : []),
      ...(sends
        ? [
            make(
              'form',
              { className: 'daily' },
              make('label', { htmlFor: amount.id, textContent: words.daily }),
              amount,
              amountProblem,
            ),
          ]
        : []),
      make(
        'dl',
        {},
        fact(words.wallet, make('bdi', { className: 'mono', textContent: address, dir: 'ltr' })),
        fact(words.account, make('bdi', { textContent: account ?? words.noAccount })),
      ),
      all.button,
      ...(canSign ? [reading.button] : []),
      button('', words.deny, deny),
      all.said,
      ...(canSign ? [hidden(reading.said)] : []),
      button('text', texts.changeAccount, changeAccount),
      note(words.asks),
    )
    // No script reads what is typed; a key that is on its way submits nothing.
    amount.form?.addEventListener('submit', (event) => event.preventDefault())
    const ends = [all.sense(), ...(canSign ? [reading.sense()] : [])]
    until(() => {
      for (const end of ends) end()
    })
  }

  function review({ requester, approve, reject, ...reviewed }: State<'review'>) {
    const { title, detail, go, parts } = shownOf(reviewed, texts.confirm, 'wallet')
    const press = gatedButton(go, texts.gate, clock, approve)
    draw(
      title,
      asker(requester),
      note(texts.consent.verified),
      ...(detail === undefined ? [] : [lead(detail)]),
      ...parts,
      press.button,
      button('', texts.reject, reject),
      press.said,
    )
    until(press.sense())
  }

  return {
    show(state: PageState) {
      switch (state.status) {
        case 'opening':
        case 'to-login':
        case 'making':
        case 'bringing':
        case 'working':
        case 'prompt':
        case 'deciding':
        case 'signed':
        case 'sent':
        case 'rejected': {
          const { title, detail } = texts.plain[state.status]
          return draw(title, lead(detail))
        }
        case 'problem': {
          const { title, detail } = texts.problems[state.problem]
          const { retry, changeAccount } = state
          return draw(
            title,
            lead(detail),
            ...(retry ? [button('primary', texts.retry, retry)] : []),
            ...(changeAccount ? [button('', texts.changeAccount, changeAccount)] : []),
          )
        }
        case 'unreachable': {
          const { title, detail } = texts.unreachable
          return draw(title, lead(detail), button('primary', texts.retry, state.retry))
        }
        case 'password':
          return password(state)
        case 'passkey':
          return passkey(state)
        case 'cloud':
          return cloud(state)
        case 'factor':
          return factor(state)
        case 'consent':
          return consent(state)
        case 'going-on': {
          const { title, detail, again } = texts.goingOn(state.requester.name)
          return draw(title, lead(detail), button('primary', again, state.again))
        }
        case 'review':
          return review(state)
        default:
          return state satisfies never
      }
    },
  }
}

/** As its operator registered it. An address is shown in ASCII, so that no letter passes for another one. */
function asker({ name, origin }: Requester): HTMLElement {
  return make(
    'p',
    { className: 'asker' },
    make('bdi', { className: 'app', textContent: name }),
    make('bdi', { textContent: new URL(origin).origin.replace(/^https:\/\//, ''), dir: 'ltr' }),
  )
}

function problemSaid(text: string | undefined, field?: HTMLInputElement): HTMLElement {
  const said = make('p', { id: 'problem', className: 'problem', role: 'alert', textContent: text ?? '' })
  field?.setAttribute('aria-describedby', said.id)
  if (field && text !== undefined) field.ariaInvalid = 'true'
  return said
}

/** Hides a status line that repeats the one of the other button. */
function hidden(said: HTMLElement): HTMLElement {
  said.hidden = true
  return said
}

const fact = (term: string, said: HTMLElement) =>
  make('div', {}, make('dt', { textContent: term }), make('dd', {}, said))

/** Brand names are the same in every language. */
const cloudNames: { readonly [cloud in CloudRecovery]: string } = {
  'google-drive': 'Google Drive',
  icloud: 'iCloud',
}
