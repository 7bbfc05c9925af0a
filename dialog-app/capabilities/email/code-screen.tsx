import { useId, useState } from 'react'
import type { PartProps } from '../../core/screen.ts'
import { useTexts } from '../../i18n/context.tsx'
import { translateOwn } from '../../i18n/own-words.ts'
import base from '../../ui/base.module.css'
import { classNames } from '../../ui/class-names.ts'
import { CodeField } from '../../ui/code-field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Heading, Stack } from '../../ui/stack.tsx'
import { Lead, Title } from '../../ui/title.tsx'
import styles from './code-screen.module.css'
import type { CodeState, OtpStatus } from './otp.ts'
import { texts } from './texts.ts'

export type CodeEvents = {
  readonly edit: readonly []
  readonly submit: readonly [code: string]
  readonly resend: readonly []
}

const fieldStatus = {
  initial: 'ready',
  'sending-code': 'ready',
  'awaiting-code-input': 'ready',
  'submitting-code': 'busy',
  done: 'done',
  error: 'wrong',
} as const satisfies Record<OtpStatus, string>

export function CodeScreen({ state, send }: PartProps<CodeState, CodeEvents>) {
  const { code } = useTexts(texts)
  const lineId = useId()
  const [notNumeric, setNotNumeric] = useState(false)
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
        describedBy={lineId}
        onEdit={() => {
          setNotNumeric(false)
          send('edit')
        }}
        onNonNumeric={() => setNotNumeric(true)}
        onFilled={(digits) => send('submit', digits)}
      />
      <Line id={lineId} state={state} problem={useProblem(state, notNumeric)} />
      <Resend state={state} onPress={() => send('resend')} />
    </Stack>
  )
}

function useProblem({ problem }: CodeState, notNumeric: boolean): string | undefined {
  const { code, problems } = useTexts(texts)
  if (notNumeric) return code.notNumeric
  return problem === undefined ? undefined : translateOwn(problem, texts.english.problems, problems)
}

type LineProps = { readonly id: string; readonly state: CodeState; readonly problem: string | undefined }

/** What there is to say about the code. Its room is always there, so that nothing jumps. */
function Line({ id, state, problem }: LineProps) {
  const { code } = useTexts(texts)
  const said =
    state.status === 'submitting-code' ? code.checking : state.status === 'done' ? code.accepted : problem
  return (
    <p
      className={classNames(styles.line, problem !== undefined && styles.problem)}
      id={id}
      aria-live="polite"
    >
      {said}
    </p>
  )
}

function Resend({ state, onPress }: { readonly state: CodeState; readonly onPress: () => void }) {
  const { code } = useTexts(texts)
  const locked = state.resend === 'locked'
  // An accepted code needs no other; the room stays, so that nothing jumps.
  if (state.status === 'done') return <div className={styles.resend} />
  return (
    <div className={styles.resend} aria-live="polite">
      {locked ? (
        <span className={styles.sent}>
          <Icon name="check" size={16} />
          {code.sent}
        </span>
      ) : (
        <>
          <span>{code.noMail}</span>{' '}
          <button
            type="button"
            className={classNames(base.control, styles.again)}
            aria-disabled={state.resend === 'sending' || undefined}
            onClick={() => state.resend === 'available' && onPress()}
          >
            {state.resend === 'sending' ? code.resending : code.resend}
          </button>
        </>
      )}
    </div>
  )
}
