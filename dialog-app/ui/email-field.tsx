import { dialogLimits, emailLimits, isEmailAddress } from '@latchkey/protocol'
import { useLayoutEffect, useRef, useState } from 'react'
import base from './base.module.css'
import { classNames } from './class-names.ts'
import styles from './field.module.css'
import { Icon } from './icon.tsx'
import { useLate } from './late.ts'
import { Spinner } from './spinner.tsx'

type EmailFieldProps = {
  readonly label: string
  readonly placeholder: string
  readonly submitLabel: string
  readonly busyLabel: string
  readonly initial: string
  readonly busy: boolean
  /** The user asked for this field just now. */
  readonly focused?: boolean
  readonly onSubmit: (email: string) => void
}

/** The field carries its own button, quiet until there is something to send. */
export function EmailField(props: EmailFieldProps) {
  const { label, placeholder, submitLabel, busyLabel, initial, busy, focused = false, onSubmit } = props
  const [email, setEmail] = useState(initial)
  const ready = isEmailAddress(email)
  const input = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    if (focused) input.current?.focus()
  }, [focused])
  const showsProgress = useLate(busy, dialogLimits.progressAfterMs)
  return (
    <form
      className={styles.field}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (ready && !busy) onSubmit(email.trim())
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
        ref={input}
        aria-label={label}
        placeholder={placeholder}
        value={email}
        readOnly={busy}
        onChange={(event) => setEmail(event.currentTarget.value)}
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
  )
}
