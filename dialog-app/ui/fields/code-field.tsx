import { emailLimits } from '@latchkey/protocol'
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import {
  applyKey,
  type Entry,
  emptyEntry,
  findCode,
  getAddedDigits,
  insertDigits,
  isFilled,
  parseDigits,
} from './code-entry.ts'
import styles from './code-field.module.css'

/** A code that arrived without typing. A new object means a new code. */
export type ArrivedCode = { code: string }

type CodeFieldProps = {
  label: string
  digitLabel: (values: { position: number }) => string
  status: 'ready' | 'busy' | 'wrong' | 'done'
  /** Clears the fields when it changes. */
  attempt: number
  describedBy?: string
  arrived?: ArrivedCode | undefined
  onEdit: () => void
  onNonNumeric: () => void
  onFilled: (code: string) => void
}

export function CodeField(props: CodeFieldProps) {
  const { label, digitLabel, status, attempt, describedBy, arrived, onEdit, onNonNumeric, onFilled } = props
  const [entry, draw] = useState<Entry>(() => emptyEntry(emailLimits.codeLength))
  // Autofill may write several fields before React renders again.
  const latest = useRef(entry)
  const setEntry = (next: Entry) => {
    latest.current = next
    draw(next)
  }
  const inputs = useRef<(HTMLInputElement | null)[]>([])
  const frozen = status === 'busy' || status === 'done'
  /** Returns the entry that the next key changes. The first key after a wrong code clears it. */
  const entryAt = (at: number): Entry =>
    status === 'wrong' ? emptyEntry(emailLimits.codeLength) : { ...latest.current, at }

  const focus = (at: number) => {
    const input = inputs.current[at]
    input?.focus()
    input?.select()
  }
  const change = (next: Entry) => {
    setEntry(next)
    focus(next.at)
    onEdit()
    if (isFilled(next)) onFilled(next.digits.join(''))
  }
  const write = (text: string | undefined, at: number) => {
    if (frozen) return
    if (text === undefined) {
      // The input shows the letter until a render, which an equal entry would skip.
      const unchanged = { ...entryAt(at) }
      setEntry(unchanged)
      focus(unchanged.at)
      onEdit()
      onNonNumeric()
    } else if (text !== '') change(insertDigits(entryAt(at), text))
  }

  const shownAttempt = useRef(attempt)
  useLayoutEffect(() => {
    if (shownAttempt.current === attempt) return
    shownAttempt.current = attempt
    latest.current = emptyEntry(emailLimits.codeLength)
    draw(latest.current)
    inputs.current[0]?.focus()
  }, [attempt])

  const writeArrived = useEffectEvent(() => write(arrived?.code ?? '', 0))
  // biome-ignore lint/correctness/useExhaustiveDependencies: written once, when it arrives
  useEffect(writeArrived, [arrived])

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset can not be laid out as a grid in every browser
    <div className={styles.code} role="group" aria-label={label} data-status={status} dir="ltr">
      {entry.digits.map((digit, position) => (
        <input
          // biome-ignore lint/suspicious/noArrayIndexKey: a field is its position
          key={position}
          ref={(input) => {
            inputs.current[position] = input
          }}
          className={styles.digit}
          type="text"
          inputMode="numeric"
          pattern="[0-9]*"
          // Browsers fill the whole code into the field with this attribute.
          autoComplete={position === 0 ? 'one-time-code' : 'off'}
          enterKeyHint="done"
          aria-label={digitLabel({ position: position + 1 })}
          aria-invalid={status === 'wrong'}
          aria-describedby={describedBy}
          aria-disabled={frozen || undefined}
          // `disabled` would remove the focus while the code is checked.
          readOnly={frozen}
          value={digit}
          // `onChange` does not fire if the same digit is entered again.
          onInput={(event) => write(parseDigits(getAddedDigits(event.currentTarget.value, digit)), position)}
          onPaste={(event) => {
            event.preventDefault()
            const text = findCode(event.clipboardData.getData('text'), entry.digits.length)
            write(text, position)
          }}
          onKeyDown={(event) => {
            if (frozen || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
            const next = applyKey(entryAt(position), event.key)
            if (!next) return
            event.preventDefault()
            setEntry(next)
            focus(next.at)
            if (next.digits !== entry.digits) onEdit()
          }}
          onFocus={(event) => event.currentTarget.select()}
        />
      ))}
    </div>
  )
}
