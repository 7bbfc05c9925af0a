import { emailLimits } from '@latchkey/protocol'
import { type ReactNode, useId, useState } from 'react'
import type { Send } from '../../../flow/screen.ts'
import { useTexts } from '../../../i18n/context.tsx'
import { InlineButton } from '../../../ui/button.tsx'
import { useLate } from '../../../ui/feedback/late.ts'
import { parseDigits } from '../../../ui/fields/code-entry.ts'
import { CodeField } from '../../../ui/fields/code-field.tsx'
import { CodeLine, CodeSent } from '../../../ui/fields/code-line.tsx'
import { texts } from '../texts.arb'
import type { Passcode, PasscodeEvents } from './passcode-state.ts'

const fieldStatus = {
  ready: 'ready',
  checking: 'busy',
  wrong: 'wrong',
  blocked: 'busy',
  done: 'done',
} as const satisfies Record<Passcode['status'], string>

type PasscodeFieldProps = { state: Passcode; send: Send<PasscodeEvents> }
/** What is typed may be wrong before it is a code. */
type Typing = 'notNumeric' | 'wrongLength'

export function PasscodeField({ state, send }: PasscodeFieldProps) {
  const { passcode, problems, enrolProblems } = useTexts(texts)
  const problemId = useId()
  const [typing, setTyping] = useState<Typing>()
  const { status, problem, attempt } = state
  const isLate = useLate(status === 'checking' || state.resend === 'sending')
  const said = { ...problems, ...enrolProblems }
  const words = typing ? passcode[typing] : problem && said[problem]
  const isBlocked = status === 'blocked'
  return (
    <>
      <Whole isTaken={status === 'ready' || status === 'wrong'} onOther={() => setTyping('wrongLength')}>
        <CodeField
          label={passcode.group}
          digitLabel={passcode.digit}
          status={fieldStatus[status]}
          attempt={attempt}
          describedBy={problemId}
          onEdit={() => {
            setTyping(undefined)
            send('edit')
          }}
          onNonNumeric={() => setTyping('notNumeric')}
          onFilled={(code) => send('submit', code)}
        />
      </Whole>
      <CodeLine
        id={problemId}
        problem={words}
        said={status === 'done' ? passcode.accepted : status === 'checking' && isLate && passcode.checking}
      >
        {!isBlocked && status !== 'done' && !(status === 'checking' && isLate) && (
          <Resend state={state} asks={words === undefined} isLate={isLate} onPress={() => send('resend')} />
        )}
      </CodeLine>
    </>
  )
}

type WholeProps = {
  isTaken: boolean
  onOther: () => void
  children: ReactNode
}

/** The six fields take a code as it is filled in: whoever sends fewer digits, or pastes more, hears of it. */
const Whole = ({ isTaken, onOther, children }: WholeProps) => (
  // biome-ignore lint/a11y/noStaticElementInteractions: the fields within are what is used
  <div
    role="presentation"
    onKeyDown={({ key, currentTarget }) => {
      const digits = Array.from(currentTarget.querySelectorAll('input'), ({ value }) => value)
      if (isTaken && key === 'Enter' && digits.includes('')) onOther()
    }}
    onPasteCapture={(event) => {
      const digits = parseDigits(event.clipboardData.getData('text')) ?? ''
      if (!isTaken || digits.length <= emailLimits.codeLength) return
      event.preventDefault()
      event.stopPropagation()
      onOther()
    }}
  >
    {children}
  </div>
)

type ResendProps = {
  state: Passcode
  asks: boolean
  isLate: boolean
  onPress: () => void
}

function Resend({ state: { resend }, asks, isLate, onPress }: ResendProps) {
  const { passcode } = useTexts(texts)
  switch (resend) {
    case 'none':
      return null
    case 'locked':
      return <CodeSent>{passcode.sent}</CodeSent>
    case 'available':
    case 'sending':
      return (
        <span>
          {asks && resend === 'available' && passcode.noCode}{' '}
          <InlineButton busy={resend === 'sending'} onPress={onPress}>
            {resend === 'sending' && isLate ? passcode.resending : passcode.resend}
          </InlineButton>
        </span>
      )
    default:
      return resend satisfies never
  }
}
