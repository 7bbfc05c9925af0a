import type { ReactElement } from 'react'
import base from '../base.module.css'
import { classNames } from '../class-names.ts'
import group from '../group.module.css'
import styles from './still-row.module.css'

type StillRowProps = {
  icon: ReactElement
  label: string
  /** The status. */
  note?: string
  /** Styles the status as good. */
  isGood?: boolean
  /** The reason, shown below the label. */
  why?: string
  action?: { text: string; label: string; onPress: () => void }
}

/** A row that is not a choice itself. */
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
