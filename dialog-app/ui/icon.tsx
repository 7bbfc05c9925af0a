import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import styles from './icon.module.css'

/** One family: 1.5 px strokes with round ends, drawn for 20 px. */
const drawings = {
  back: <path d="M12 4.5 6.5 10l5.5 5.5" />,
  chevron: <path d="m8 5.5 4.5 4.5L8 14.5" />,
  expand: <path d="m5.5 8 4.5 4.5L14.5 8" />,
  arrow: <path d="M4.5 10h11M11 5.5l4.5 4.5-4.5 4.5" />,
  close: <path d="m5.5 5.5 9 9m0-9-9 9" />,
  check: <path d="m4.75 10.5 3.5 3.5 7-8" />,
  info: (
    <>
      <circle cx="10" cy="10" r="7.25" />
      <path d="M10 9.25v4m0-6.5v.01" />
    </>
  ),
  warning: (
    <path d="M8.9 3.9 2.7 14.5a1.28 1.28 0 0 0 1.1 1.9h12.4a1.28 1.28 0 0 0 1.1-1.9L11.1 3.9a1.27 1.27 0 0 0-2.2 0ZM10 8v3.25m0 2.25v.01" />
  ),
  mail: (
    <>
      <rect x="2.75" y="4.25" width="14.5" height="11.5" rx="2.5" />
      <path d="m3.5 6.25 5.3 4.1a2 2 0 0 0 2.4 0l5.3-4.1" />
    </>
  ),
  lock: (
    <>
      <rect x="4" y="8.75" width="12" height="8" rx="2" />
      <path d="M6.75 8.5V6.25a3.25 3.25 0 0 1 6.5 0V8.5" />
    </>
  ),
  copy: (
    <>
      <rect x="7.25" y="7.25" width="9.5" height="9.5" rx="2" />
      <path d="M12.75 4.75a1.75 1.75 0 0 0-1.75-1.5H5.25a2 2 0 0 0-2 2V11a1.75 1.75 0 0 0 1.5 1.75" />
    </>
  ),
  wallet: (
    <>
      <path d="M3.25 6.75v7A2.5 2.5 0 0 0 5.75 16.25h8.5a2.5 2.5 0 0 0 2.5-2.5V9a2.25 2.25 0 0 0-2.25-2.25H5a1.5 1.5 0 0 1 0-3h8.25a1.5 1.5 0 0 1 1.5 1.5v1.5" />
      <path d="M13.25 11.5v.01" />
    </>
  ),
  person: (
    <>
      <circle cx="10" cy="6.75" r="3.25" />
      <path d="M3.75 16.75c.5-3 3-4.75 6.25-4.75s5.75 1.75 6.25 4.75" />
    </>
  ),
  people: (
    <>
      <circle cx="7.75" cy="7" r="3" />
      <path d="M2.5 16.5c.4-2.75 2.5-4.25 5.25-4.25S12.6 13.75 13 16.5M13 4.25a3 3 0 0 1 0 5.5m2 2.9c1.4.600 2.3 1.9 2.5 3.85" />
    </>
  ),
  pen: (
    <path d="M3.5 16.5h3.25l8.9-8.9a2.1 2.1 0 0 0 0-3l-.25-.25a2.1 2.1 0 0 0-3 0l-8.9 8.9v3.25ZM11 5.75 14.25 9" />
  ),
  leave: (
    <path d="M8.25 3.25h-2a2.5 2.5 0 0 0-2.5 2.5v8.5a2.5 2.5 0 0 0 2.5 2.5h2M8 10h8.75m-3.25-3.25L16.75 10l-3.25 3.25" />
  ),
  more: <path d="M4.75 10v.01M10 10v.01M15.25 10v.01" strokeWidth="2.25" />,
} satisfies Record<string, ReactNode>
export type IconName = keyof typeof drawings
export const iconNames = Object.keys(drawings) as IconName[]

/** Those that point somewhere turn round with the writing. */
const pointing: ReadonlySet<IconName> = new Set(['back', 'chevron', 'arrow', 'leave'])

type IconProps = { readonly name: IconName; readonly size?: number }

/** Always beside words, so never read aloud itself. */
export const Icon = ({ name, size = 20 }: IconProps) => (
  <svg
    className={classNames(styles.icon, pointing.has(name) && styles.pointing)}
    width={size}
    height={size}
    viewBox="0 0 20 20"
    aria-hidden="true"
    focusable="false"
  >
    {drawings[name]}
  </svg>
)
