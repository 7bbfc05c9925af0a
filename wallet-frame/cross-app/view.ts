/** Renders the cross-app page. Each state is drawn anew. */
import { crossAppLimits } from '@latchkey/protocol/api'
import type { CloudRecovery } from '@latchkey/protocol/wallet'
import type { Clock } from '../clock.ts'
import { renderRequest } from '../confirm/shown.ts'
import { createDrawing, lead, note, requesterLine } from '../pages/drawing.ts'
import { button, make, mono } from '../pages/elements.ts'
import { codeField, passwordField } from '../pages/fields.ts'
import { createGatedButton } from '../pages/gated-button.ts'
import type { PageState, Requester } from './screen/state.ts'
import type { CrossAppTexts } from './texts.ts'

type State<Status extends PageState['status']> = Extract<PageState, { status: Status }>

/** Isolated (U+2066 to U+2069), because right-to-left text would move the sign. */
const dollars = (whole: number) => `\u2066$${whole.toLocaleString('en')}\u2069`

/** The amount in dollars that the page suggests first. */
const firstDailyUsd = 100

export function createView({
  document,
  clock,
  texts,
}: {
  document: Document
  clock: Clock
  texts: CrossAppTexts
}) {
  const { draw, until } = createDrawing(document)

  /** Creates a form in which Enter presses the button. */
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
    const { title, detail, label, wrong, go, show, hide } = texts.password
    const { input, parts, tell } = passwordField(label, { show, hide }, 'current-password')
    input.required = true
    tell(problem === 'wrong' ? wrong : problem && texts.secretProblems[problem])
    const whole = form(parts, go, () => give(input.value))
    draw(title, lead(detail), whole, button('', texts.cancel, cancel))
    input.focus()
  }

  function passkey({ problem, ask, cancel }: State<'passkey'>) {
    const { title, detail, go } = texts.passkey
    draw(
      title,
      lead(detail),
      ...(problem ? [problemLine(texts.secretProblems[problem])] : []),
      button('primary', problem ? texts.retry : go, ask),
      button('', texts.cancel, cancel),
    )
  }

  function cloud({ cloud: name, step, problem, open, cancel }: State<'cloud'>) {
    const { title, detail, go } = texts.cloud
    const values = { cloud: cloudNames[name] }
    const stepText = step === 'asking' ? undefined : texts.cloudSteps[step](values)
    draw(
      title(values),
      lead(detail(values)),
      ...(problem ? [problemLine(texts.secretProblems[problem])] : []),
      ...(stepText ? [make('p', { className: 'status', role: 'status', textContent: stepText })] : []),
      button('primary', step === 'asking' ? go(values) : texts.retry, open),
      button('', texts.cancel, cancel),
    )
  }

  function factorChoice({ methods, choose, cancel }: State<'factor-choice'>) {
    const { choice, names } = texts.factor
    draw(
      choice.title,
      lead(choice.detail),
      ...methods.map((method) => button('', names[method], () => choose(method))),
      button('text', texts.cancel, cancel),
    )
  }

  function factor(state: State<'factor'>) {
    const { factor: words } = texts
    const { method, chooseOther, sentTo, problem, cancel } = state
    const title = method === 'passkey' ? words.passkeyTitle : words.codeTitle
    const problemText = problem && words.problems[problem]
    const detail =
      method === 'sms' && sentTo !== undefined ? words.sent({ to: sentTo }) : words.detail[method]
    const rest = [
      ...(chooseOther ? [button('text', words.other, chooseOther)] : []),
      button('', texts.cancel, cancel),
    ]
    if (method === 'passkey') {
      const press = button('primary', words.usePasskey, state.askPasskey)
      return draw(title, lead(detail), ...(problemText ? [problemLine(problemText)] : []), press, ...rest)
    }
    const input = codeField()
    const status = problemLine(problemText, input)
    const enter = form(
      [make('label', { htmlFor: input.id, textContent: words.label }), input, status],
      words.go,
      () => state.giveCode(input.value),
    )
    if (method === 'sms' && sentTo === undefined) {
      const send = button('primary', words.send, state.sendCode)
      return draw(title, lead(detail), ...(problemText ? [problemLine(problemText)] : []), send, ...rest)
    }
    const again = method === 'sms' ? [button('text', words.again, state.sendCode)] : []
    draw(title, lead(detail), enter, ...again, ...rest)
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
    const amountProblem = problemLine(undefined, amount)
    const sending = make('li', {})
    const parseAmount = () => (/^\d{1,7}$/.test(amount.value.trim()) ? Number(amount.value) : Number.NaN)
    const isValid = () => parseAmount() <= crossAppLimits.maxDailyUsd
    function updateAmount() {
      amount.ariaInvalid = String(!isValid())
      amountProblem.textContent = isValid() ? '' : words.dailyWrong
      if (isValid()) sending.textContent = words.send({ usd: dollars(parseAmount()) })
    }
    amount.addEventListener('input', updateAmount)
    updateAmount()
    const { profile, wallet: ofWallet } = words.scopes
    const scopeTexts = { profile, 'wallet.read': ofWallet.read, 'wallet.sign': ofWallet.sign }
    const grants = make(
      'ul',
      { className: 'grants' },
      ...(['profile', 'wallet.read', 'wallet.sign'] as const)
        .filter((scope) => scopes.includes(scope))
        .map((scope) => make('li', { textContent: scopeTexts[scope] })),
      ...(sends ? [sending] : []),
    )
    const all = createGatedButton(words.allow, texts.gate, clock, () => {
      if (!sends || isValid()) return allow({ isReadOnly: false, dailyUsd: sends ? parseAmount() : 0 })
      amount.focus()
    })
    const reading = createGatedButton(words.readOnly, texts.gate, clock, () =>
      allow({ isReadOnly: true, dailyUsd: 0 }),
    )
    reading.button.className = ''
    draw(
      words.title,
      renderRequester(requester),
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
        fact(words.wallet, mono('bdi', address)),
        fact(words.account, make('bdi', { textContent: account ?? words.noAccount })),
      ),
      all.button,
      ...(canSign ? [reading.button] : []),
      button('', words.deny, deny),
      all.status,
      ...(canSign ? [hidden(reading.status)] : []),
      button('text', texts.changeAccount, changeAccount),
      note(words.asks),
    )
    // The typed amount is read on a button press; Enter must submit nothing.
    amount.form?.addEventListener('submit', (event) => event.preventDefault())
    const ends = [all.sense(), ...(canSign ? [reading.sense()] : [])]
    until(() => {
      for (const end of ends) end()
    })
  }

  function review({ requester, approve, reject, ...reviewed }: State<'review'>) {
    const { title, detail, go, parts } = renderRequest(reviewed, texts.confirm, 'wallet')
    const press = createGatedButton(go, texts.gate, clock, approve)
    draw(
      title,
      renderRequester(requester),
      note(texts.consent.verified),
      ...(detail === undefined ? [] : [lead(detail)]),
      ...parts,
      press.button,
      button('', texts.reject, reject),
      press.status,
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
        case 'factor-choice':
          return factorChoice(state)
        case 'factor':
          return factor(state)
        case 'consent':
          return consent(state)
        case 'going-on': {
          const { title, detail, again } = texts.goingOn
          return draw(
            title,
            lead(detail({ app: state.requester.name })),
            button('primary', again, state.again),
          )
        }
        case 'review':
          return review(state)
        default:
          return state satisfies never
      }
    },
  }
}

/** Renders name and origin as the operator registered them. The origin is in ASCII, against homographs. */
const renderRequester = ({ name, origin }: Requester) => requesterLine(name, new URL(origin).origin)

function problemLine(text: string | undefined, field?: HTMLInputElement): HTMLElement {
  const status = make('p', { id: 'problem', className: 'problem', role: 'alert', textContent: text ?? '' })
  field?.setAttribute('aria-describedby', status.id)
  if (field && text !== undefined) field.ariaInvalid = 'true'
  return status
}

/** Hides a status line that repeats the one of the other button. */
function hidden(status: HTMLElement): HTMLElement {
  status.hidden = true
  return status
}

const fact = (term: string, value: HTMLElement) =>
  make('div', {}, make('dt', { textContent: term }), make('dd', {}, value))

/** Brand names are the same in every language. */
const cloudNames: { [cloud in CloudRecovery]: string } = {
  'google-drive': 'Google Drive',
  icloud: 'iCloud',
}
