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
  /** The address of the last login, shown with a link to clear it. */
  remembered?: string | undefined
  notYouLabel?: string
  onForget?: () => void
  busy: boolean
  /** The user opened this field by a press. */
  focused?: boolean
  /** Returns the validation message for a text that is not an address. */
  problemOf: (text: string) => string
  onSubmit: (email: string) => void
}

/** An e-mail field with an inline submit button. */
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
          // Browsers also suggest passkeys while a login waits for one.
          autoComplete="email webauthn"
          autoCapitalize="off"
          spellCheck={false}
          enterKeyHint="go"
          // Addresses are left-to-right in every language.
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
          // Typing replaces the remembered address.
          onFocus={(event) => email === remembered && event.currentTarget.select()}
          onChange={(event) => {
            setEmail(event.currentTarget.value)
            setProblem(undefined)
          }}
          // Enter does not submit a form with a disabled button, so the problem is shown here.
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
