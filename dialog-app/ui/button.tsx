import type { MouseEvent, ReactElement, ReactNode } from 'react'
import base from './base.module.css'
import styles from './button.module.css'
import { classNames } from './class-names.ts'
import { useLate } from './feedback/late.ts'
import { Spinner } from './feedback/spinner.tsx'
import iconStyles from './icon-button.module.css'
import inlineStyles from './inline-button.module.css'
import { useOutside } from './outside.ts'

type ButtonProps = {
  kind?: 'primary' | 'quiet' | 'text' | 'danger'
  children: ReactNode
  /** What the button says while it works: it then takes no press, but keeps its place, width and focus. */
  busy?: string | false
  disabled?: boolean
  describedBy?: string | undefined
  onPress: (event: MouseEvent) => void
}

export function Button({
  kind = 'primary',
  children,
  busy = false,
  disabled,
  describedBy,
  onPress,
}: ButtonProps) {
  const showsProgress = useLate(busy !== false)
  return (
    <button
      type="button"
      className={classNames(base.control, styles.button, styles[kind])}
      disabled={disabled}
      aria-disabled={busy !== false || undefined}
      aria-busy={busy !== false || undefined}
      aria-describedby={describedBy}
      onClick={(event) => busy === false && onPress(event)}
    >
      {/* Both labels lie in one cell, so that the wider of them is the width. */}
      <span className={styles.label} data-shown={!showsProgress} aria-hidden={showsProgress || undefined}>
        <bdi>{children}</bdi>
      </span>
      {busy !== false && (
        <span className={styles.label} data-shown={showsProgress} aria-hidden={!showsProgress || undefined}>
          <Spinner />
          <bdi>{busy}</bdi>
        </span>
      )}
    </button>
  )
}

type ButtonLinkProps = {
  kind?: 'primary' | 'quiet'
  href: string
  children: ReactNode
  onPress?: () => void
}

/** Looks like a button, since it is what there is to do; leads to a page of somebody else. */
export function ButtonLink({ href, ...props }: ButtonLinkProps) {
  const outside = useOutside(href)
  return outside === undefined ? null : <OwnButtonLink href={outside} {...props} />
}

/** The same, to a page of our own. */
export const OwnButtonLink = ({ kind = 'primary', href, children, onPress }: ButtonLinkProps) => (
  <a
    className={classNames(base.control, styles.button, styles[kind], styles.link)}
    href={href}
    target="_blank"
    rel="noopener noreferrer"
    onClick={onPress}
  >
    {children}
  </a>
)

type IconButtonProps = { icon: ReactElement; label: string; onPress: () => void }

export const IconButton = ({ icon, label, onPress }: IconButtonProps) => (
  <button
    type="button"
    className={classNames(base.control, iconStyles.button)}
    aria-label={label}
    onClick={onPress}
  >
    {icon}
  </button>
)

type InlineButtonProps = {
  children: string
  /** It takes no press, but keeps the focus. */
  busy?: boolean
  onPress: () => void
}

/** Something to do, at the end of the sentence that it belongs to. */
export const InlineButton = ({ children, busy = false, onPress }: InlineButtonProps) => (
  <button
    type="button"
    className={classNames(base.control, inlineStyles.button)}
    aria-disabled={busy || undefined}
    onClick={() => busy || onPress()}
  >
    {children}
  </button>
)
