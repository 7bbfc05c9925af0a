import { useId, useState } from 'react'
import type { CodeState, OtpStatus } from '../flows/view-state.ts'
import { useText } from '../i18n/context.tsx'
import base from '../ui/base.module.css'
import { classNames } from '../ui/class-names.ts'
import { CodeField } from '../ui/code-field.tsx'
import { Icon } from '../ui/icon.tsx'
import { Lead, Title } from '../ui/title.tsx'
import styles from './AWAITING_PASSWORDLESS_CODE.module.css'
import type { ScreenProps } from './screen.ts'
import { Heading, Stack } from './stack.tsx'

const fieldStatus = {
  initial: 'ready',
  'sending-code': 'ready',
  'awaiting-code-input': 'ready',
  'submitting-code': 'busy',
  done: 'done',
  error: 'wrong',
} as const satisfies Record<OtpStatus, string>

export function AWAITING_PASSWORDLESS_CODE({ state, send }: ScreenProps<'AWAITING_PASSWORDLESS_CODE'>) {
  const { code } = useText()
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
        onEdit={() => setNotNumeric(false)}
        onNonNumeric={() => setNotNumeric(true)}
        onFilled={(digits) => send({ type: 'submit-code', code: digits })}
      />
      <Line id={lineId} state={state} problem={notNumeric ? code.notNumeric : state.problem} />
      <Resend state={state} onPress={() => send({ type: 'resend-code' })} />
    </Stack>
  )
}

type LineProps = { readonly id: string; readonly state: CodeState; readonly problem: string | undefined }

/** What there is to say about the code. Its room is always there, so that nothing jumps. */
function Line({ id, state, problem }: LineProps) {
  const { code } = useText()
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
  const { code } = useText()
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
