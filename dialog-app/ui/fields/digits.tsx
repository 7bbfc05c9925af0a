import styles from './digits.module.css'

type DigitsProps = { readonly label: string; readonly children: string }

/** A few digits that are typed elsewhere. */
export const Digits = ({ label, children }: DigitsProps) => (
  <p className={styles.digits} role="status">
    <span>{label}</span> <strong dir="ltr">{children}</strong>
  </p>
)
