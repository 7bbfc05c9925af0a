import { emailLimits } from '@latchkey/protocol'
import { type ReactNode, useId, useState } from 'react'
import { useTexts } from '../../../i18n/context.tsx'
import { InlineButton } from '../../../ui/button.tsx'
import { useLate } from '../../../ui/feedback/late.ts'
import { parseDigits } from '../../../ui/fields/code-entry.ts'
import { CodeField } from '../../../ui/fields/code-field.tsx'
import { CodeLine, CodeSent } from '../../../ui/fields/code-line.tsx'
import { texts } from '../texts.arb'
import type { Passcode } from './passcode-reducer.ts'
import type { PasscodeEntry } from './use-passcode.ts'

const fieldStatus = {
  ready: 'ready',
  checking: 'busy',
  wrong: 'wrong',
  blocked: 'busy',
  done: 'done',
} as const satisfies Record<Passcode['status'], string>

/** The input may be wrong before it is a code. */
type Typing = 'notNumeric' | 'wrongLength'

export function PasscodeField({ passcode, onEdit, onSubmit, onResend }: PasscodeEntry) {
  const { passcode: words, problems, enrolProblems } = useTexts(texts)
  const problemId = useId()
  const [typing, setTyping] = useState<Typing>()
  const { status, problem, attempt, resend } = passcode
  const isLate = useLate(status === 'checking' || resend === 'sending')
  const problemText = typing ? words[typing] : problem && { ...problems, ...enrolProblems }[problem]
  const isBlocked = status === 'blocked'
  return (
    <>
      <Whole isTaken={status === 'ready' || status === 'wrong'} onOther={() => setTyping('wrongLength')}>
        <CodeField
          label={words.group}
          digitLabel={words.digit}
          status={fieldStatus[status]}
          attempt={attempt}
          describedBy={problemId}
          onEdit={() => {
            setTyping(undefined)
            onEdit()
          }}
          onNonNumeric={() => setTyping('notNumeric')}
          onFilled={onSubmit}
        />
      </Whole>
      <CodeLine
        id={problemId}
        problem={problemText}
        said={status === 'done' ? words.accepted : status === 'checking' && isLate && words.checking}
      >
        {!isBlocked && status !== 'done' && !(status === 'checking' && isLate) && (
          <Resend resend={resend} asks={problemText === undefined} isLate={isLate} onPress={onResend} />
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

/** Reports a code that is submitted too early or pasted with too many digits. The fields take exactly six. */
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
  resend: Passcode['resend']
  asks: boolean
  isLate: boolean
  onPress: () => void
}

function Resend({ resend, asks, isLate, onPress }: ResendProps) {
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
