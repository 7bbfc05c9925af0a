import type { ReactElement } from 'react'
import base from '../base.module.css'
import { classNames } from '../class-names.ts'
import group from '../group.module.css'
import styles from './still-row.module.css'

type StillRowProps = {
  readonly icon: ReactElement
  readonly label: string
  /** How it stands. */
  readonly note?: string
  /** It stands well. */
  readonly isGood?: boolean
  /** Why it does, below the label. */
  readonly why?: string
  readonly action?: { readonly text: string; readonly label: string; readonly onPress: () => void }
}

/** A row of a group that is not a choice itself. */
export const StillRow = ({ icon, label, note, isGood = false, why, action }: StillRowProps) => (
  <div className={classNames(group.row, group.withIcon, styles.row)}>
    <span className={group.mark}>{icon}</span>
    <span className={group.label}>
      {label}
      {why !== undefined && <span className={styles.why}>{why}</span>}
    </span>
    {note !== undefined && <span className={classNames(group.end, isGood && styles.good)}>{note}</span>}
    {action && (
      <button
        type="button"
        className={classNames(base.control, styles.action)}
        aria-label={action.label}
        onClick={action.onPress}
      >
        {action.text}
      </button>
    )}
  </div>
)
