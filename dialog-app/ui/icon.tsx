import { classNames } from './class-names.ts'
import styles from './icon.module.css'

/**
 * Icons in one style: one path each, 1.5 px strokes with round ends on a 20 px grid. These are for the shell and
 * logins; `lazy/row-icon.tsx` holds the others, which load on demand.
 */
const drawings = {
  back: 'M12 4.5 6.5 10l5.5 5.5',
  chevron: 'm8 5.5 4.5 4.5L8 14.5',
  expand: 'm5.5 8 4.5 4.5L14.5 8',
  arrow: 'M4.5 10h11M11 5.5l4.5 4.5-4.5 4.5',
  close: 'm5.5 5.5 9 9m0-9-9 9',
  check: 'm4.75 10.5 3.5 3.5 7-8',
  mail: 'M5.25 4.25h9.5a2.5 2.5 0 0 1 2.5 2.5v6.5a2.5 2.5 0 0 1-2.5 2.5h-9.5a2.5 2.5 0 0 1-2.5-2.5v-6.5a2.5 2.5 0 0 1 2.5-2.5ZM3.5 6.25l5.3 4.1a2 2 0 0 0 2.4 0l5.3-4.1',
  lock: 'M6 8.75h8a2 2 0 0 1 2 2v4a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2v-4a2 2 0 0 1 2-2ZM6.75 8.5V6.25a3.25 3.25 0 0 1 6.5 0V8.5',
} satisfies Record<string, string>
export type IconName = keyof typeof drawings
export const iconNames = Object.keys(drawings) as IconName[]

/** Directional icons, mirrored in right-to-left languages. */
const pointing: ReadonlySet<IconName> = new Set(['back', 'chevron', 'arrow'])

type IconProps = { name: IconName; size?: number }

export const Icon = ({ name, size }: IconProps) => (
  <Drawing path={drawings[name]} size={size} className={pointing.has(name) && styles.pointing} />
)

type DrawingProps = {
  path: string
  size?: number | undefined
  className?: string | false | undefined
}

/** Hidden from assistive technology, because every icon has a text next to it. */
export const Drawing = ({ path, size = 20, className }: DrawingProps) => (
  <svg
    className={classNames(styles.icon, className)}
    width={size}
    height={size}
    viewBox="0 0 20 20"
    aria-hidden="true"
    focusable="false"
  >
    <path d={path} />
  </svg>
)
