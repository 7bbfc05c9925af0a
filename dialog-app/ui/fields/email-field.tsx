import { emailLimits, isEmailAddress } from '@latchkey/protocol'
import { useId, useRef, useState } from 'react'
import base from '../base.module.css'
import { InlineButton } from '../button.tsx'
import { classNames } from '../class-names.ts'
import { useLate } from '../feedback/late.ts'
import { Spinner } from '../feedback/spinner.tsx'
import { Icon } from '../icon.tsx'
import styles from './field.module.css'

type EmailFieldProps = {
  label: string
  placeholder: string
  submitLabel: string
  busyLabel: string
  initial: string
  /** An address that may be somebody else's, with a way to another. */
  remembered?: string | undefined
  notYouLabel?: string
  onForget?: () => void
  busy: boolean
  /** The user asked for this field just now. */
  focused?: boolean
  /** What is wrong with a text that is no address. */
  problemOf: (text: string) => string
  onSubmit: (email: string) => void
}

/** The field carries its own button, quiet until there is something to send. */
export function EmailField(props: EmailFieldProps) {
  const { label, placeholder, submitLabel, busyLabel, initial, busy, focused = false } = props
  const { remembered, notYouLabel = '' } = props
  const [email, setEmail] = useState(initial)
  const [problem, setProblem] = useState<string>()
  const problemId = useId()
  const input = useRef<HTMLInputElement>(null)
  const ready = isEmailAddress(email)
  const showsProgress = useLate(busy)
  return (
    <div>
      <form
        className={styles.field}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (ready && !busy) props.onSubmit(email.trim())
        }}
      >
        <span className={styles.mark}>
          <Icon name="mail" />
        </span>
        <input
          ref={input}
          className={styles.input}
          type="email"
          name="email"
          autoComplete="email"
          autoCapitalize="off"
          spellCheck={false}
          enterKeyHint="go"
          // An address is written from left to right in every language.
          dir={email === '' ? undefined : 'ltr'}
          maxLength={emailLimits.maxAddressLength}
          // biome-ignore lint/a11y/noAutofocus: asked for by a press just before
          autoFocus={focused}
          aria-label={label}
          placeholder={placeholder}
          value={email}
          readOnly={busy}
          aria-invalid={problem !== undefined}
          aria-describedby={problem === undefined ? undefined : problemId}
          // Whoever else types here replaces it.
          onFocus={(event) => email === remembered && event.currentTarget.select()}
          onChange={(event) => {
            setEmail(event.currentTarget.value)
            setProblem(undefined)
          }}
          // A form whose button is disabled is not submitted by Enter, and says nothing of it.
          onKeyDown={({ key }) => key === 'Enter' && !ready && setProblem(props.problemOf(email))}
        />
        <button
          type="submit"
          className={classNames(base.control, styles.submit)}
          disabled={!ready}
          aria-disabled={busy || undefined}
          aria-busy={busy || undefined}
          aria-label={showsProgress ? busyLabel : submitLabel}
        >
          {showsProgress ? <Spinner /> : <Icon name="arrow" />}
        </button>
      </form>
      {problem !== undefined && (
        <p className={styles.problem} id={problemId} role="alert">
          {problem}
        </p>
      )}
      {remembered !== undefined && email === remembered && !busy && (
        <p className={styles.below}>
          <InlineButton
            onPress={() => {
              setEmail('')
              input.current?.focus()
              props.onForget?.()
            }}
          >
            {notYouLabel}
          </InlineButton>
        </p>
      )}
    </div>
  )
}
