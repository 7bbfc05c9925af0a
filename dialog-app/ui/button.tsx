import type { MouseEvent, ReactElement, ReactNode } from 'react'
import base from './base.module.css'
import styles from './button.module.css'
import { classNames } from './class-names.ts'
import { useLate } from './feedback/late.ts'
import { Spinner } from './feedback/spinner.tsx'
import iconStyles from './icon-button.module.css'
import inlineStyles from './inline-button.module.css'
import { useExternalUrl } from './outside.ts'

type ButtonProps = {
  kind?: 'primary' | 'quiet' | 'text' | 'danger'
  children: ReactNode
  /** The label while the button works. It then ignores presses, but keeps its position, width and focus. */
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
      {/* Both labels share one grid cell, so the wider one sets the width. */}
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

/** A link to an external page that looks like a button. */
export function ButtonLink({ href, ...props }: ButtonLinkProps) {
  const outside = useExternalUrl(href)
  return outside === undefined ? null : <OwnButtonLink href={outside} {...props} />
}

/** Like `ButtonLink`, for pages of the product itself. */
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
  /** Ignores presses while true, but keeps the focus. */
  busy?: boolean
  onPress: () => void
}

/** An action at the end of a sentence. */
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
