import { emailLimits, isEmailAddress } from '@latchkey/protocol'
import { useId, useState } from 'react'
import base from '../base.module.css'
import { classNames } from '../class-names.ts'
import { Icon } from '../icon.tsx'
import { useLate } from '../late.ts'
import { Spinner } from '../spinner.tsx'
import styles from './field.module.css'

type EmailFieldProps = {
  readonly label: string
  readonly placeholder: string
  readonly submitLabel: string
  readonly busyLabel: string
  readonly initial: string
  readonly busy: boolean
  /** The user asked for this field just now. */
  readonly focused?: boolean
  /** What is wrong with a text that is no address. */
  readonly problemOf: (text: string) => string
  readonly onSubmit: (email: string) => void
}

/** The field carries its own button, quiet until there is something to send. */
export function EmailField(props: EmailFieldProps) {
  const { label, placeholder, submitLabel, busyLabel, initial, busy, focused = false } = props
  const [email, setEmail] = useState(initial)
  const [problem, setProblem] = useState<string>()
  const problemId = useId()
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
    </div>
  )
}
