import base from '../base.module.css'
import { classNames } from '../class-names.ts'
import { Icon } from '../icon.tsx'
import { RowIcon } from '../lazy/row-icon.tsx'
import { useCopied } from './copied.ts'
import styles from './copy-row.module.css'

type CopyRowProps = {
  label: string
  text: string
  /** The displayed form of the text. */
  shown: string
  copyLabel: string
  copiedLabel: string
}

/** A row that shows a text and copies it on press. */
export function CopyRow({ label, text, shown, copyLabel, copiedLabel }: CopyRowProps) {
  const { copied, copy } = useCopied(text)
  return (
    <>
      <button type="button" className={classNames(base.control, styles.row)} onClick={copy}>
        <span className={styles.words}>
          <span className={styles.label}>{copied ? copiedLabel : label}</span>
          <span className={classNames(base.mono, styles.text)} dir="ltr">
            {shown}
          </span>
        </span>
        <span className={styles.mark} data-copied={copied}>
          {copied ? <Icon name="check" /> : <RowIcon name="copy" />}
        </span>
        <span className={base.unseen}>{copyLabel}</span>
      </button>
      <span className={base.unseen} aria-live="polite">
        {copied ? copiedLabel : ''}
      </span>
    </>
  )
}
