import type { ReactNode } from 'react'
import { Icon } from '../../icon.tsx'
import styles from './checkbox.module.css'

type CheckboxProps = {
  checked: boolean
  children: ReactNode
  onChange: (checked: boolean) => void
}

export const Checkbox = ({ checked, children, onChange }: CheckboxProps) => (
  <label className={styles.row}>
    <span className={styles.box}>
      <input
        className={styles.input}
        type="checkbox"
        checked={checked}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span className={styles.tick}>
        <Icon name="check" size={16} />
      </span>
    </span>
    <span>{children}</span>
  </label>
)
