import type { ComponentProps } from 'react'
import styles from './button.module.css'

type Look = 'primary' | 'quiet' | 'danger' | 'text'

export const buttonClass = (look: Look = 'quiet') => `${styles.button} ${styles[look]}`

export const Button = ({ look = 'quiet', ...props }: ComponentProps<'button'> & { look?: Look }) => (
  <button type="button" {...props} className={buttonClass(look)} />
)
