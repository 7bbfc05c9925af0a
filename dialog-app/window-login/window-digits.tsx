import { useTexts } from '../i18n/context.tsx'
import { texts } from './texts.arb'
import styles from './window-digits.module.css'

/** The digits to enter in a window that has no opener. */
export function WindowDigits({ children }: { children: string }) {
  const { digits } = useTexts(texts)
  return (
    <p className={styles.digits} role="status">
      <span>{digits}</span> <strong dir="ltr">{children}</strong>
    </p>
  )
}
