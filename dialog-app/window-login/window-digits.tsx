import { useTexts } from '../i18n/context.tsx'
import { texts } from './texts.arb'
import styles from './window-digits.module.css'

/** The digits that a window asks for that has no opener to ask the card itself. */
export function WindowDigits({ children }: { children: string }) {
  const { digits } = useTexts(texts)
  return (
    <p className={styles.digits} role="status">
      <span>{digits}</span> <strong dir="ltr">{children}</strong>
    </p>
  )
}
