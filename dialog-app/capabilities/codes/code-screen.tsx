import { useEffect, useId, useState } from 'react'
import { useHeader, useLeaveWords } from '../../app/screen-options.ts'
import { useTexts } from '../../i18n/context.tsx'
import { OfflineNote } from '../../shell/elements/offline-note.tsx'
import { InlineButton } from '../../ui/button.tsx'
import { useLate } from '../../ui/feedback/late.ts'
import { type ArrivedCode, CodeField } from '../../ui/fields/code-field.tsx'
import { CodeLine, CodeSent } from '../../ui/fields/code-line.tsx'
import { Heading, Note, Stack } from '../../ui/stack.tsx'
import { Lead, Title } from '../../ui/title.tsx'
import styles from './code-screen.module.css'
import type { tellCodes } from './lazy/code-from-message.ts'
import type { CodeState, OtpStatus } from './otp.ts'
import { texts } from './texts.arb'
import { type CodeEntry, type CodeEntryOptions, useCodeEntry } from './use-code-entry.ts'

const fieldStatus = {
  initial: 'ready',
  'sending-code': 'ready',
  'awaiting-code-input': 'ready',
  'submitting-code': 'busy',
  done: 'done',
  error: 'wrong',
} as const satisfies Record<OtpStatus, string>

export function CodeScreen(options: CodeEntryOptions) {
  const { leave } = useTexts(texts)
  const entry = useCodeEntry(options)
  const { status } = entry.code
  useHeader({ back: status !== 'submitting-code' && status !== 'done', close: true })
  // A code is on its way, and a new login needs a new one.
  useLeaveWords(status === 'done' ? undefined : leave)
  return <CodeView {...entry} />
}

export function CodeView({ code: state, edit, submit, resend, cancel }: CodeEntry) {
  const { code, tooManyGuesses } = useTexts(texts)
  const problemId = useId()
  const [notNumeric, setNotNumeric] = useState(false)
  const problem = useProblem(state, notNumeric)
  const arrived = useCodeFromMessage(state)
  const isChecking = state.status === 'submitting-code'
  const isLate = useLate(isChecking || state.resend === 'sending')
  return (
    <Stack>
      <Heading>
        <Title>{code.title}</Title>
        <Lead>
          {code.sentTo} <bdi className={styles.address}>{state.address}</bdi>.<br />
          {code.validity}
        </Lead>
      </Heading>
      <CodeField
        label={code.group}
        digitLabel={code.digit}
        status={fieldStatus[state.status]}
        attempt={state.attempt}
        describedBy={problemId}
        arrived={arrived}
        onEdit={() => {
          setNotNumeric(false)
          edit()
        }}
        onNonNumeric={() => setNotNumeric(true)}
        onFilled={submit}
      />
      <CodeLine
        id={problemId}
        problem={problem}
        said={isChecking ? isLate && code.checking : state.status === 'done' && code.accepted}
      >
        <Resend state={state} isLate={isLate} asks={problem === undefined} onPress={resend} />
      </CodeLine>
      {state.waitMinutes !== undefined && <Note>{tooManyGuesses({ minutes: state.waitMinutes })}</Note>}
      {state.offline && <OfflineNote onCancel={cancel} />}
    </Stack>
  )
}

/** Returns the code that the browser read from a message with the consent of the user. */
function useCodeFromMessage({ sentBy }: CodeState) {
  const [arrived, setArrived] = useState<ArrivedCode>()
  useEffect(() => {
    const screen = new AbortController()
    if (sentBy === 'message') codeFromMessage(screen.signal, setArrived)
    return () => screen.abort()
  }, [sentBy])
  return arrived
}

/** Without this feature, the user types the code. */
const codeFromMessage = (...given: Parameters<typeof tellCodes>) =>
  void import('./lazy/code-from-message.ts').then((later) => later.tellCodes(...given)).catch(() => {})

function useProblem({ problem }: CodeState, notNumeric: boolean): string | undefined {
  const { code, problems, serverSaid } = useTexts(texts)
  if (notNumeric) return code.notNumeric
  if (problem === undefined) return undefined
  return typeof problem === 'string' ? problems[problem] : serverSaid(problem)
}

type ResendProps = {
  state: CodeState
  /** The request has taken long enough to show its progress. */
  isLate: boolean
  asks: boolean
  onPress: () => void
}

/** The button for another code, its progress, or the time until it is available. */
function Resend({ state: { status, resend, unlocksAtMs, sentBy }, isLate, asks, onPress }: ResendProps) {
  const { code } = useTexts(texts)
  if (status === 'done' || (status === 'submitting-code' && isLate)) return null
  if (resend === 'locked') {
    return (
      <span className={styles.locked}>
        <CodeSent>{code.sent}</CodeSent>
        {unlocksAtMs !== undefined && <Countdown untilMs={unlocksAtMs} />}
      </span>
    )
  }
  return (
    <span>
      {asks && code.noCode[sentBy]}{' '}
      <InlineButton busy={resend === 'sending'} onPress={onPress}>
        {isLate ? code.resending : code.resend}
      </InlineButton>
    </span>
  )
}

const SECOND_MS = 1_000
const secondsUntil = (atMs: number) => Math.max(0, Math.ceil((atMs - Date.now()) / SECOND_MS))

/** The countdown is no live region: a screen reader would say every second. */
function Countdown({ untilMs }: { untilMs: number }) {
  const { code } = useTexts(texts)
  const [seconds, setSeconds] = useState(() => secondsUntil(untilMs))
  useEffect(() => {
    const timer = setInterval(() => setSeconds(secondsUntil(untilMs)), SECOND_MS)
    return () => clearInterval(timer)
  }, [untilMs])
  return <span className={styles.countdown}>{code.againIn({ seconds })}</span>
}
