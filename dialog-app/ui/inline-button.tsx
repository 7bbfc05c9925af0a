import base from './base.module.css'
import { classNames } from './class-names.ts'
import styles from './inline-button.module.css'

type InlineButtonProps = {
  readonly children: string
  /** It takes no press, but keeps the focus. */
  readonly busy?: boolean
  readonly onPress: () => void
}

/** Something to do, at the end of the sentence that it belongs to. */
export const InlineButton = ({ children, busy = false, onPress }: InlineButtonProps) => (
  <button
    type="button"
    className={classNames(base.control, styles.button)}
    aria-disabled={busy || undefined}
    onClick={() => busy || onPress()}
  >
    {children}
  </button>
)
