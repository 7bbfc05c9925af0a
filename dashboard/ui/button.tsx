import type { ComponentProps } from 'react'
import styles from './button.module.css'

type ButtonKind = 'primary' | 'quiet' | 'danger' | 'text'

export const buttonClass = (kind: ButtonKind = 'quiet') => `${styles.button} ${styles[kind]}`

export const Button = ({ kind = 'quiet', ...props }: ComponentProps<'button'> & { kind?: ButtonKind }) => (
  <button type="button" {...props} className={buttonClass(kind)} />
)
