import base from '../base.module.css'
import { classNames } from '../class-names.ts'
import styles from '../group.module.css'
import { Icon } from '../icon.tsx'
import { useExternalUrl } from '../outside.ts'

type OptionLinkProps = { href: string; label: string; title: string }

/** A row that links to an external page. */
export function OptionLink({ href, label, title }: OptionLinkProps) {
  const outside = useExternalUrl(href)
  if (outside === undefined) return null
  return (
    <a
      className={classNames(base.control, styles.row, styles.link)}
      href={outside}
      target="_blank"
      rel="noopener noreferrer"
      title={title}
    >
      <span className={styles.label}>{label}</span>
      <span className={styles.end}>
        <Icon name="chevron" />
      </span>
    </a>
  )
}
