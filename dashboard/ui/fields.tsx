import { type ComponentProps, type ReactNode, useId } from 'react'
import styles from './fields.module.css'

type FieldProps = { label: string; hint?: ReactNode; problem?: string | undefined }

/** Ties a label, a hint and a problem to a control. */
function Field({
  label,
  hint,
  problem,
  children,
}: FieldProps & {
  children: (control: {
    id: string
    className: string | undefined
    'aria-describedby': string
    'aria-invalid': boolean
  }) => ReactNode
}) {
  const id = useId()
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      {children({
        id,
        className: styles.control,
        'aria-describedby': `${id}-below`,
        'aria-invalid': problem !== undefined,
      })}
      <span id={`${id}-below`} hidden={problem === undefined && hint === undefined}>
        {problem === undefined ? (
          <span className={styles.hint}>{hint}</span>
        ) : (
          <span className={styles.problem}>{problem}</span>
        )}
      </span>
    </div>
  )
}

export const TextField = ({ label, hint, problem, ...props }: FieldProps & ComponentProps<'input'>) => (
  <Field label={label} hint={hint} problem={problem}>
    {(control) => <input type="text" autoComplete="off" {...props} {...control} />}
  </Field>
)

export const TextArea = ({ label, hint, problem, ...props }: FieldProps & ComponentProps<'textarea'>) => (
  <Field label={label} hint={hint} problem={problem}>
    {(control) => <textarea spellCheck={false} {...props} {...control} />}
  </Field>
)

export const SelectField = ({
  label,
  hint,
  options,
  ...props
}: FieldProps &
  ComponentProps<'select'> & { options: readonly (readonly [value: string, text: string])[] }) => (
  <Field label={label} hint={hint}>
    {(control) => (
      <select {...props} {...control}>
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    )}
  </Field>
)

export const Switch = ({ label, ...props }: { label: string } & ComponentProps<'input'>) => (
  <label className={styles.switch}>
    <input type="checkbox" {...props} />
    {label}
  </label>
)
