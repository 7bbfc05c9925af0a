import { Fragment } from 'react'
import base from '../base.module.css'
import { classNames } from '../class-names.ts'
import { Icon } from '../icon.tsx'
import { RowIcon } from '../lazy/row-icon.tsx'
import styles from './address.module.css'
import { useCopied } from './copied.ts'

const START = 6
const END = 4

/** Shortens an address: `0x71C7…976F`. Short texts stay unchanged. */
export const truncateMiddle = (text: string) =>
  text.length <= START + END + 1 ? text : `${text.slice(0, START)}…${text.slice(-END)}`

type AddressProps = {
  address: string
  copyLabel: string
  copiedLabel: string
  /** Shows recipients in full, because a look-alike address has the same ends. */
  isWhole?: boolean | undefined
}

/** An address with a copy button. The full address is in the tooltip and the clipboard. */
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
          {isWhole ? <BreakableAddress address={address} /> : truncateMiddle(address)}
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

/** The full address with break opportunities between groups of four digits. Copied text contains no breaks. */
export const BreakableAddress = ({ address }: { address: string }) =>
  address.match(/^0x.{0,4}|.{1,4}/g)?.map((group, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: groups have no other name, and never move.
    <Fragment key={at}>
      {at > 0 && <wbr />}
      {group}
    </Fragment>
  ))
