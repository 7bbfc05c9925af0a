import styles from './spinner.module.css'

export const Spinner = () => (
  <svg className={styles.spinner} width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
    <path d="M10 3a7 7 0 0 1 7 7" />
  </svg>
)
