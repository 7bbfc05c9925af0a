import { useId } from 'react'
import { classNames } from './class-names.ts'
import styles from './field.module.css'
import { Icon } from './icon.tsx'
import labelled from './labelled.module.css'

type SelectProps = {
  readonly label: string
  readonly value: string
  readonly options: readonly { readonly value: string; readonly text: string }[]
  readonly onChange: (value: string) => void
}

export function Select({ label, value, options, onChange }: SelectProps) {
  const id = useId()
  return (
    <div>
      <label className={labelled.label} htmlFor={id}>
        {label}
      </label>
      <div className={styles.field}>
        <select
          className={classNames(styles.input, labelled.select)}
          id={id}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.text}
            </option>
          ))}
        </select>
        <span className={labelled.unit}>
          <Icon name="expand" />
        </span>
      </div>
    </div>
  )
}
