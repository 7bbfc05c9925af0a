/** Renders the recovery window. */
import { passwordLimits } from '@latchkey/protocol'
import { copyText } from '@latchkey/protocol/browser'
import { formatText } from '@latchkey/protocol/texts'
import type { CloudRecovery } from '@latchkey/protocol/wallet'
import type { Clock } from '../clock.ts'
import { createDrawing, lead, note, requesterLine } from '../pages/drawing.ts'
import { button, make, mono } from '../pages/elements.ts'
import { passwordField } from '../pages/fields.ts'
import { createGatedButton } from '../pages/gated-button.ts'
import type { PasswordStep, Problem, WindowFlow, WindowState } from './flow.ts'
import { findPasswordProblem, isGoodPassword, measureStrength, toStrengthName } from './password-rules.ts'
import { createFileName, saveText } from './recovery-file.ts'
import type { WindowTexts } from './texts.ts'

export type ViewPorts = {
  document: Document
  clock: Clock
  texts: WindowTexts
  appName: string
  /** Generates a random password. */
  generate: () => Promise<string>
  flow: () => Pick<WindowFlow, 'enter' | 'go' | 'understand' | 'approve' | 'askPasskey' | 'openCloud'>
}

type Wizard = Extract<WindowState, { status: 'wizard' }>
type Finalizing = Extract<PasswordStep, { type: 'finalizing' }>
const steps = ['creating', 'saving', 'confirming', 'finalizing'] as const

export function createView({ document, clock, texts, appName, generate, flow }: ViewPorts) {
  const { draw, until } = createDrawing(document)
  const announce = ({ title, detail }: { title: string; detail: string }) =>
    draw(title, requesterLine(appName), lead(detail))

  /** Creates a form in which Enter presses the button. */
  function form(parts: readonly HTMLElement[], label: string, submit: () => void) {
    const press = make('button', { className: 'primary', type: 'submit', textContent: label })
    const whole = make('form', { noValidate: true }, ...parts, press)
    whole.addEventListener('submit', (event) => {
      event.preventDefault()
      if (event.isTrusted && !press.disabled) submit()
    })
    return { whole, press }
  }

  function enter(problem: Problem | undefined) {
    const { recover: words } = texts
    const field = passwordField(words.label, texts.field, 'current-password')
    const { whole, press } = form(field.parts, words.recover, () => flow().enter(field.input.value))
    press.disabled = true
    field.input.addEventListener('input', () => {
      press.disabled = field.input.value === ''
      field.tell(undefined)
    })
    draw(words.title, requesterLine(appName), lead(words.detail), whole)
    if (problem) field.tell(wordsForPassword(problem))
    field.input.focus()
  }

  function wordsForPassword({ code, minutes }: Problem): string {
    if (minutes !== undefined) return texts.tried({ minutes })
    const isWrong = code === 'invalid_recovery_pin' || code === 'invalid_request_arguments'
    return isWrong ? texts.passwordProblems.wrong : texts.passkey.recover.problems.failed
  }

  function step(at: (typeof steps)[number], title: string, detail: string, ...parts: readonly HTMLElement[]) {
    const place = note(texts.steps({ at: steps.indexOf(at) + 1, of: steps.length }))
    draw(title, requesterLine(appName), place, lead(detail), ...parts)
  }
  const backTo = (at: 'creating' | 'saving' | 'confirming', password: string) =>
    button('text', texts.back, () => flow().go(at, password))

  let generatedPassword: string | undefined

  function creating(password: string, isUpdate: boolean, isShown = false) {
    const { creating: words, strength, passwordProblems } = texts
    const field = passwordField(words.label, texts.field, 'new-password', isShown)
    field.input.maxLength = passwordLimits.longest + 1
    const status = make('p', { className: 'status', role: 'status' })
    // Hidden from screen readers, because the text next to it says the same.
    const meter = make('div', { className: 'strength', ariaHidden: 'true' }, make('div', {}))
    const { whole, press } = form([...field.parts, meter, status], words.next, () =>
      flow().go('saving', field.input.value),
    )
    function update() {
      const typed = field.input.value
      press.disabled = !isGoodPassword(typed)
      // The formula counts characters, but the generator's word list sets the strength of its passwords.
      const score = typed !== '' && typed === generatedPassword ? 1 : measureStrength(typed)
      const name = toStrengthName(score)
      status.textContent = typed === '' ? '' : `${strength.label}: ${strength[name]}`
      meter.dataset.strength = typed === '' ? 'none' : name
      meter.style.setProperty('--strength', String(score))
      field.tell(passwordProblemText(typed, passwordProblems))
    }
    field.input.value = password
    field.input.addEventListener('input', update)
    update()
    const suggest = button('', words.generate, async () => {
      generatedPassword = await generate()
      creating(generatedPassword, isUpdate, true)
    })
    step('creating', isUpdate ? words.updateTitle : words.title, words.detail, whole, suggest)
    field.input.focus()
  }

  function saving(password: string) {
    const { saving: words } = texts
    const shownPassword = make('input', { id: 'password', value: password, readOnly: true, dir: 'ltr' })
    const copy = button('', words.copy, async () => {
      if (await copyText(password)) copy.textContent = words.copied
    })
    const { file } = words
    const text = () =>
      [file.title({ app: appName }), '', file.password({ password }), '', file.advice, ''].join('\n')
    step(
      'saving',
      words.title,
      words.detail,
      make('label', { htmlFor: shownPassword.id, textContent: words.label }),
      shownPassword,
      copy,
      button('', words.download, () => saveText(createFileName(appName), text())),
      button('primary', words.next, () => flow().go('confirming', password)),
      backTo('creating', password),
    )
  }

  function confirming(password: string) {
    const { confirming: words, passwordProblems } = texts
    const field = passwordField(words.label, texts.field, 'new-password')
    const { whole, press } = form(field.parts, words.next, () => flow().go('finalizing', password))
    press.disabled = true
    const update = () => {
      const isSame = field.input.value === password
      press.disabled = !isSame
      field.tell(isSame ? undefined : passwordProblems.different)
    }
    field.input.addEventListener('input', update)
    field.input.addEventListener('blur', update)
    step('confirming', words.title, words.detail, whole, backTo('saving', password))
    field.input.focus()
  }

  let finalizingShown: { confirm: (address: string) => void } | undefined

  function finalizing({ isGated, confirm }: Finalizing, problem: Problem | undefined) {
    if (confirm && finalizingShown) return finalizingShown.confirm(confirm.address)
    const { finalizing: words } = texts
    const box = make('input', { id: 'understood', type: 'checkbox' })
    const facts = make('dl', {})
    const problemLine = make('p', { className: 'problem', role: 'alert' })
    if (problem) problemLine.textContent = settingProblemText(problem)
    const gated = createGatedButton(words.set, texts.gate, clock, () => flow().approve())
    const press = isGated ? gated.button : button('primary', words.set, () => flow().approve())
    press.disabled = true
    box.addEventListener('change', ({ isTrusted }) => {
      if (!isTrusted) return
      if (!isGated) press.disabled = !box.checked
      // The consent cannot be withdrawn by the checkbox: the user closes the window instead.
      else if (box.checked) {
        box.disabled = true
        flow().understand()
      }
    })
    step(
      'finalizing',
      words.title,
      words.detail,
      make(
        'label',
        { className: 'check', htmlFor: box.id },
        box,
        make('span', { textContent: words.understood }),
      ),
      facts,
      problemLine,
      press,
      ...(isGated ? [gated.status] : []),
    )
    finalizingShown = {
      confirm(address) {
        facts.replaceChildren(fact(texts.wallet, address), fact('', texts.passkey.approve.warning))
        press.disabled = false
        until(gated.sense())
      },
    }
    box.focus()
  }

  function wizard({ step: at, purpose, problem }: Wizard) {
    if (at.type !== 'finalizing') finalizingShown = undefined
    switch (at.type) {
      case 'creating':
        return creating(at.password, purpose === 'update')
      case 'saving':
        return saving(at.password)
      case 'confirming':
        return confirming(at.password)
      case 'finalizing':
        return finalizing(at, problem)
      default:
        return at satisfies never
    }
  }

  function settingProblemText({ code, minutes }: Problem): string {
    if (minutes !== undefined) return texts.tried({ minutes })
    if (code === 'embedded_wallet_recovery_already_exists') return texts.passkey.set.problems.changedElsewhere
    return texts.passwordProblems.notSet
  }

  function passkey({ purpose, isCreated, problem }: Extract<WindowState, { status: 'passkey' }>) {
    const words = texts.passkey[purpose === 'recover' ? 'recover' : 'set']
    const label = isCreated ? texts.passkey.use : problem ? texts.passkey.again : words.confirm
    const problemLine =
      problem && make('p', { className: 'problem', role: 'alert', textContent: statusText(problem, words) })
    draw(
      words.title,
      requesterLine(appName),
      lead(isCreated ? texts.passkey.once : words.detail),
      ...(problemLine ? [problemLine] : []),
      button('primary', label, () => flow().askPasskey()),
    )
  }

  function statusText({ code, minutes }: Problem, { problems }: WindowTexts['passkey']['set']): string {
    if (minutes !== undefined) return texts.tried({ minutes })
    return problems[problemByCode[code] ?? 'failed']
  }

  function cloud({ cloud, purpose, step }: Extract<WindowState, { status: 'cloud' }>) {
    const words = texts.cloud
    const name = cloudNames[cloud]
    const { title, detail } = words[purpose === 'recover' ? 'recover' : 'set']
    const press = button(
      'primary',
      step === 'asking' || step === 'preparing' ? words.open({ cloud: name }) : words.again,
      () => flow().openCloud(),
    )
    press.disabled = step === 'preparing'
    const stepText = { preparing: undefined, asking: undefined, ...words.steps }[step]
    draw(
      title({ cloud: name }),
      requesterLine(appName),
      lead(detail({ cloud: name })),
      ...(stepText
        ? [
            make('p', {
              className: step === 'blocked' ? 'problem' : 'status',
              role: 'status',
              textContent: stepText({ cloud: name }),
            }),
          ]
        : []),
      ...(step === 'open' ? [] : [press]),
    )
  }

  function approve({ method, confirm: { address } }: Extract<WindowState, { status: 'approve' }>) {
    const { warning } = texts.passkey.approve
    const isCloud = method === 'google-drive' || method === 'icloud'
    const { title, detail, confirm } = isCloud ? texts.cloud.approve : texts.passkey.approve
    const values = { cloud: isCloud ? cloudNames[method] : '' }
    const press = createGatedButton(formatText(confirm, values), texts.gate, clock, () => flow().approve())
    draw(
      formatText(title, values),
      requesterLine(appName),
      lead(formatText(detail, values)),
      make('p', { className: 'warning', textContent: warning }),
      make('dl', {}, fact(texts.wallet, address)),
      press.button,
      press.status,
    )
    until(press.sense())
  }

  return {
    show(state: WindowState) {
      switch (state.status) {
        case 'opening':
        case 'working':
        case 'alone':
          return announce(texts[state.status])
        case 'prompt':
          return announce(texts.passkey.prompt)
        case 'done': {
          const { done } = texts
          if (state.purpose === 'recover') return announce(done.recovered)
          if (state.method === 'user-passcode') return announce(done.password)
          if (state.method === 'passkey') return announce(done.passkey)
          const { title, detail } = done.cloud
          return announce({ title, detail: detail({ cloud: cloudNames[state.method] }) })
        }
        case 'over': {
          const { problem, method } = state
          if (method === 'google-drive' || method === 'icloud') return announce(texts.cloud.over)
          const why =
            method === 'passkey' ? statusText(problem, texts.passkey.set) : settingProblemText(problem)
          return draw(texts.over, requesterLine(appName), lead(`${why} ${texts.overDetail}`))
        }
        case 'password':
          return enter(state.problem)
        case 'wizard':
          return wizard(state)
        case 'passkey':
          return passkey(state)
        case 'approve':
          return approve(state)
        case 'cloud':
          return cloud(state)
        default:
          return state satisfies never
      }
    },
  }
}

/** Brand names are the same in every language. */
const cloudNames: { [cloud in CloudRecovery]: string } = {
  'google-drive': 'Google Drive',
  icloud: 'iCloud',
}

const problemByCode: Readonly<Record<string, keyof WindowTexts['passkey']['set']['problems']>> = {
  passkey_not_allowed: 'notAllowed',
  not_supported: 'unable',
  invalid_recovery_pin: 'foreign',
  share_mismatch: 'foreign',
  envelope_refused: 'foreign',
  embedded_wallet_recovery_already_exists: 'changedElsewhere',
  confirmation_expired: 'expired',
}

function passwordProblemText(typed: string, words: WindowTexts['passwordProblems']): string | undefined {
  const problem = findPasswordProblem(typed)
  switch (problem?.type) {
    case 'too-short':
      return words.tooShort
    case 'too-long':
      return words.tooLong
    case 'invalid-characters':
      return words.invalidCharacters({ characters: problem.characters.join(' ') })
    case undefined:
      return undefined
    default:
      return problem satisfies never
  }
}

const fact = (name: string, textContent: string) =>
  make(
    'div',
    {},
    ...(name === '' ? [] : [make('dt', { textContent: name })]),
    name === '' ? make('dd', { textContent }) : mono('dd', textContent),
  )
