import { RowIcon } from '../lazy/row-icon.tsx'
import styles from './wallet-face.module.css'

/** The icon of the embedded wallet for the status seal. */
export const WalletFace = () => (
  <span className={styles.face}>
    <RowIcon name="wallet" size={28} />
  </span>
)
