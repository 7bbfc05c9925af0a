import { RowIcon } from '../row-icon.tsx'
import styles from './wallet-face.module.css'

/** The embedded wallet has no brand of its own to show in the seal. */
export const WalletFace = () => (
  <span className={styles.face}>
    <RowIcon name="wallet" size={28} />
  </span>
)
