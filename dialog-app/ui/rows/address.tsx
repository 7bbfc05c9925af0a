import base from '../base.module.css'
import { classNames } from '../class-names.ts'
import { Icon } from '../icon.tsx'
import { cutMiddle } from '../middle.ts'
import { RowIcon } from '../row-icon.tsx'
import styles from './address.module.css'
import { useCopied } from './copied.ts'

type AddressProps = {
  readonly address: string
  readonly copyLabel: string
  readonly copiedLabel: string
  /** Of somebody who gets something: a look-alike has the same ends. */
  readonly isWhole?: boolean | undefined
}

/** Where the middle is cut, whoever points at it, listens to its description or copies it gets all of it. */
export function Address({ address, copyLabel, copiedLabel, isWhole = false }: AddressProps) {
  const { copied, copy } = useCopied(address)
  return (
    <>
      <button
        type="button"
        className={classNames(base.control, styles.address)}
        title={address}
        onClick={copy}
      >
        <span className={classNames(base.mono, isWhole && styles.whole)} dir="ltr">
          {isWhole ? address : cutMiddle(address)}
        </span>
        <span className={styles.mark} data-copied={copied}>
          {copied ? <Icon name="check" size={16} /> : <RowIcon name="copy" size={16} />}
        </span>
        <span className={base.unseen}>{copyLabel}</span>
        {copied && (
          <span className={styles.said} aria-hidden="true">
            {copiedLabel}
          </span>
        )}
      </button>
      <span className={base.unseen} aria-live="polite">
        {copied ? copiedLabel : ''}
      </span>
    </>
  )
}
