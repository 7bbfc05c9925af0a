import { type HTMLInputAutoCompleteAttribute, type ReactNode, useId } from 'react'
import styles from '../field.module.css'
import own from './text-field.module.css'

type TextFieldProps = {
  label: string
  value: string
  onChange: (value: string) => void
  icon?: ReactNode
  /** A button inside the field, after the text. */
  end?: ReactNode
  type?: 'text' | 'password' | 'tel' | 'url'
  autoComplete?: HTMLInputAutoCompleteAttribute
  placeholder?: string
  problem?: string | undefined
  readOnly?: boolean
  /** Set for text that is left-to-right in every language. */
  dir?: 'ltr'
  onBlur?: () => void
}

export function TextField(props: TextFieldProps) {
  const { label, value, onChange, icon, type = 'text', autoComplete = 'off', placeholder, problem } = props
  const { readOnly = false, end, dir, onBlur } = props
  const id = useId()
  return (
    <div>
      <label className={own.label} htmlFor={id}>
        {label}
      </label>
      <div className={styles.field}>
        {icon && <span className={styles.mark}>{icon}</span>}
        <input
          className={styles.input}
          id={id}
          type={type}
          autoComplete={autoComplete}
          placeholder={placeholder}
          value={value}
          readOnly={readOnly}
          dir={dir}
          aria-invalid={problem !== undefined}
          aria-describedby={problem === undefined ? undefined : `${id}-problem`}
          onBlur={onBlur}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
        {end}
      </div>
      {problem !== undefined && (
        <p className={styles.problem} id={`${id}-problem`} role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}
