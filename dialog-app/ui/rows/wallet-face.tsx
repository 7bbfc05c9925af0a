import { LaterIcon } from '../row-icon.tsx'
import styles from './wallet-face.module.css'

/** The embedded wallet has no brand of its own to show in the seal. */
export const WalletFace = () => (
  <span className={styles.face}>
    <LaterIcon name="wallet" size={28} />
  </span>
)
