import { type ReactNode, useState } from 'react'
import type { PartProps, Send } from '../../core/screen.ts'
import { useTexts } from '../../i18n/context.tsx'
import { translateOwn } from '../../i18n/own-words.ts'
import { Accordion } from '../../ui/accordion.tsx'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { copyText } from '../../ui/copy-text.ts'
import { Heading, Note, Stack } from '../../ui/stack.tsx'
import { Success } from '../../ui/success.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { Lead, Title } from '../../ui/title.tsx'
import { PasswordField } from './password-field.tsx'
import { isGoodPassword, passwordProblem, strengthName, strengthOf } from './password-rules.ts'
import { recoveryFileName, saveText } from './recovery-file.ts'
import type { RecoveryTexts } from './texts.en.ts'
import { texts } from './texts.ts'

export type WizardStep =
  | { readonly at: 'creating'; readonly password: string }
  | { readonly at: 'saving'; readonly password: string }
  | { readonly at: 'confirming'; readonly password: string }
  | { readonly at: 'finalizing'; readonly status: 'asking' | 'setting'; readonly problem?: string }
  | { readonly at: 'done' }
export type WizardState = {
  readonly appName: string
  readonly isUpdate: boolean
  /** They may take it back, and close the last step by themselves. */
  readonly byUser: boolean
  readonly step: WizardStep
}
export type WizardEvents = {
  readonly create: readonly [password: string]
  readonly generate: readonly []
  readonly next: readonly []
  readonly finish: readonly []
  readonly cancel: readonly []
  readonly close: readonly []
}
type Props<At extends WizardStep['at']> = {
  readonly state: WizardState
  readonly step: Extract<WizardStep, { readonly at: At }>
  readonly send: Send<WizardEvents>
}

export function WizardScreen({ state, send }: PartProps<WizardState, WizardEvents>) {
  const { step } = state
  switch (step.at) {
    case 'creating':
      // A generated password takes the place of what was typed.
      return <Creating key={step.password} state={state} step={step} send={send} />
    case 'saving':
      return <Saving state={state} step={step} send={send} />
    case 'confirming':
      return <Confirming state={state} step={step} send={send} />
    case 'finalizing':
      return <Finalizing state={state} step={step} send={send} />
    case 'done':
      return <Done state={state} step={step} send={send} />
    default:
      return step satisfies never
  }
}

/** Enter does what the button does. */
const Form = ({ children, onSubmit }: { readonly children: ReactNode; readonly onSubmit: () => void }) => (
  <form
    noValidate
    onSubmit={(event) => {
      event.preventDefault()
      onSubmit()
    }}
  >
    {children}
    <input type="submit" hidden />
  </form>
)

function Creating({ state, step, send }: Props<'creating'>) {
  const { creating, strength, problems, why } = useTexts(texts)
  const [password, setPassword] = useState(step.password)
  const isGood = isGoodPassword(password)
  const create = () => isGood && send('create', password)
  return (
    <Stack>
      <Heading>
        <Title>{state.isUpdate ? creating.updateTitle : creating.title}</Title>
        <Lead>{creating.detail}</Lead>
      </Heading>
      <Form onSubmit={create}>
        <PasswordField
          label={creating.label}
          autoComplete="new-password"
          value={password}
          onChange={setPassword}
          problem={wordsFor(password, problems)}
          isShownFirst={step.password !== ''}
        />
      </Form>
      {password !== '' && (
        <Note>
          <span role="status">
            {strength.label}: {strength[strengthName(strengthOf(password))]}
          </span>
        </Note>
      )}
      <Button kind="quiet" onPress={() => send('generate')}>
        {creating.generate}
      </Button>
      <Steps state={state} send={send} next={creating.next} disabled={!isGood} onNext={create} />
      <Accordion summary={why.question}>{why.answer}</Accordion>
    </Stack>
  )
}

function wordsFor(password: string, problems: RecoveryTexts['problems']): string | undefined {
  const problem = passwordProblem(password)
  switch (problem?.type) {
    case 'too-short':
      return problems.tooShort
    case 'too-long':
      return problems.tooLong
    case 'invalid-characters':
      return problems.invalidCharacters(problem.characters.join(' '))
    case undefined:
      return undefined
    default:
      return problem satisfies never
  }
}

function Saving({ state, step, send }: Props<'saving'>) {
  const { saving } = useTexts(texts)
  const [isCopied, setCopied] = useState(false)
  const { password } = step
  const file = () =>
    [saving.file.title(state.appName), '', saving.file.password(password), '', saving.file.advice, ''].join(
      '\n',
    )
  return (
    <Stack>
      <Heading>
        <Title>{saving.title}</Title>
        <Lead>{saving.detail}</Lead>
      </Heading>
      <TextField label={saving.label} value={password} dir="ltr" readOnly onChange={() => {}} />
      <Button kind="quiet" onPress={async () => setCopied(await copyText(password))}>
        {isCopied ? saving.copied : saving.copy}
      </Button>
      <Button kind="quiet" onPress={() => saveText(recoveryFileName(state.appName), file())}>
        {saving.download}
      </Button>
      <Steps state={state} send={send} next={saving.next} onNext={() => send('next')} />
    </Stack>
  )
}

function Confirming({ state, step, send }: Props<'confirming'>) {
  const { confirming, problems } = useTexts(texts)
  const [again, setAgain] = useState('')
  /** Nothing is wrong yet with what nobody began. */
  const [isBegun, setBegun] = useState(false)
  const isSame = again === step.password
  const next = () => isSame && send('next')
  return (
    <Stack>
      <Heading>
        <Title>{confirming.title}</Title>
        <Lead>{confirming.detail}</Lead>
      </Heading>
      <Form onSubmit={next}>
        <PasswordField
          label={confirming.label}
          autoComplete="new-password"
          value={again}
          onChange={(password) => {
            setAgain(password)
            setBegun(true)
          }}
          onBlur={() => setBegun(true)}
          problem={isBegun && !isSame ? problems.different : undefined}
        />
      </Form>
      <Steps state={state} send={send} next={confirming.next} disabled={!isSame} onNext={next} />
    </Stack>
  )
}

function Finalizing({ state, step, send }: Props<'finalizing'>) {
  const { finalizing, problems } = useTexts(texts)
  const [isUnderstood, setUnderstood] = useState(false)
  const { status, problem } = step
  return (
    <Stack>
      <Heading>
        <Title>{finalizing.title}</Title>
        <Lead>{finalizing.detail}</Lead>
      </Heading>
      <Checkbox checked={isUnderstood} onChange={setUnderstood}>
        {finalizing.understood}
      </Checkbox>
      {problem !== undefined && (
        <Banner kind="danger">{translateOwn(problem, ownProblems, ownWords(problems))}</Banner>
      )}
      <Steps
        state={state}
        send={send}
        next={finalizing.set}
        disabled={!isUnderstood && status === 'asking'}
        busy={status === 'setting' && finalizing.setting}
        onNext={() => send('finish')}
      />
    </Stack>
  )
}

const ownWords = ({ notSet, changedElsewhere }: RecoveryTexts['problems']) => ({ notSet, changedElsewhere })
const ownProblems = ownWords(texts.english.problems)

function Done({ state, send }: Props<'done'>) {
  const { done } = useTexts(texts)
  return (
    <Success title={done.title} detail={done.detail}>
      {state.byUser && <Button onPress={() => send('close')}>{done.close}</Button>}
    </Success>
  )
}

type StepsProps = Pick<Props<'creating'>, 'state' | 'send'> & {
  readonly next: string
  readonly onNext: () => void
  readonly disabled?: boolean
  readonly busy?: string | false
}

const Steps = ({ state, send, next, onNext, disabled = false, busy = false }: StepsProps) => {
  const { cancel } = useTexts(texts)
  return (
    <Stack>
      <Button disabled={disabled} busy={busy} onPress={onNext}>
        {next}
      </Button>
      {state.byUser && busy === false && (
        <Button kind="text" onPress={() => send('cancel')}>
          {cancel}
        </Button>
      )}
    </Stack>
  )
}
