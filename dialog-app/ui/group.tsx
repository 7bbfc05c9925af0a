import { createContext, type ReactElement, type ReactNode, use } from 'react'
import base from './base.module.css'
import { classNames } from './class-names.ts'
import { useLate } from './feedback/late.ts'
import { Spinner } from './feedback/spinner.tsx'
import styles from './group.module.css'
import { Icon } from './icon.tsx'

/** A raised group of related choices with hairlines between them. */
export const Group = ({ children }: { children: ReactNode }) => <div className={styles.group}>{children}</div>

/** Merges adjacent groups of one kind. */
export const Run = ({ children }: { children: ReactNode }) => <div className={styles.run}>{children}</div>

/** A list of fields and rows; adjacent groups in it are merged. */
export const OptionList = ({ children }: { children: ReactNode }) => (
  <div className={styles.list}>{children}</div>
)

/** A tag for the row inside. It replaces the row's own mark, or precedes a chevron. */
export const MarkContext = createContext<string | undefined>(undefined)

type OptionRowProps = {
  icon?: ReactElement
  label: string
  /** `more` opens another screen; `tag` praises the choice; `note` is neutral. */
  end?: { kind: 'more' } | { kind: 'tag' | 'note' | 'action'; text: string }
  /** The label of the press, shown on hover in place of the mark. */
  action?: string
  /** The target of the row is loading. */
  busy?: boolean
  onPress: () => void
}

export function OptionRow({ icon, label, end: own, action, busy = false, onPress }: OptionRowProps) {
  const showsProgress = useLate(busy)
  const mark = use(MarkContext)
  const tag: OptionRowProps['end'] = mark === undefined ? undefined : { kind: 'tag', text: mark }
  const end = own?.kind === 'more' ? own : (tag ?? own)
  return (
    <button
      type="button"
      className={classNames(base.control, styles.row, icon && styles.withIcon)}
      aria-busy={busy || undefined}
      onClick={onPress}
    >
      {icon && <span className={styles.mark}>{icon}</span>}
      <span className={styles.label}>{label}</span>
      {tag && end !== tag && <span className={classNames(styles.end, styles.tag)}>{tag.text}</span>}
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
