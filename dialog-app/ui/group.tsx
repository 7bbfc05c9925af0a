import { createContext, type ReactElement, type ReactNode, use } from 'react'
import base from './base.module.css'
import { classNames } from './class-names.ts'
import { useLate } from './feedback/late.ts'
import { Spinner } from './feedback/spinner.tsx'
import styles from './group.module.css'
import { Icon } from './icon.tsx'

/** Choices of a kind stand in one raised group, with hairlines that start at the label. */
export const Group = ({ children }: { children: ReactNode }) => <div className={styles.group}>{children}</div>

/** Groups of one kind are one group, apart from the kind before. */
export const Run = ({ children }: { children: ReactNode }) => <div className={styles.run}>{children}</div>

/** What there is to choose from, fields and rows, in its own room; groups that follow each other in it are one. */
export const OptionList = ({ children }: { children: ReactNode }) => (
  <div className={styles.list}>{children}</div>
)

/** What is said of the one row within, in the place of its own trailing mark, or before it where that leads on. */
export const MarkContext = createContext<string | undefined>(undefined)

type OptionRowProps = {
  icon?: ReactElement
  label: string
  /** `more` leads on; `tag` says something good about the choice; `note` is plain. */
  end?: { kind: 'more' } | { kind: 'tag' | 'note' | 'action'; text: string }
  /** What pressing does, seen in the place of its mark while it is pointed at. */
  action?: string
  /** What it leads to is on its way. */
  busy?: boolean
  onPress: () => void
}

export function OptionRow({ icon, label, end: own, action, busy = false, onPress }: OptionRowProps) {
  const showsProgress = useLate(busy)
  const mark = use(MarkContext)
  const said: OptionRowProps['end'] = mark === undefined ? undefined : { kind: 'tag', text: mark }
  const end = own?.kind === 'more' ? own : (said ?? own)
  return (
    <button
      type="button"
      className={classNames(base.control, styles.row, icon && styles.withIcon)}
      aria-busy={busy || undefined}
      onClick={onPress}
    >
      {icon && <span className={styles.mark}>{icon}</span>}
      <span className={styles.label}>{label}</span>
      {said && end !== said && <span className={classNames(styles.end, styles.tag)}>{said.text}</span>}
      {end && (
        <span className={classNames(styles.end, styles[end.kind])}>
          {showsProgress ? <Spinner /> : end.kind === 'more' ? <Icon name="chevron" /> : end.text}
        </span>
      )}
      {action && (
        <span className={classNames(styles.end, styles.action, styles.instead)} aria-hidden="true">
          {action}
        </span>
      )}
    </button>
  )
}
