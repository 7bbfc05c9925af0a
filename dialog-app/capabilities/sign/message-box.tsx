import { shownMessage } from '@latchkey/protocol/reading'
import { useMemo } from 'react'
import { useTexts } from '../../i18n/context.tsx'
import { hidesSomething, ShownParts } from '../../ui/rows/shown-parts.tsx'
import { Note } from '../../ui/stack.tsx'
import styles from './message-box.module.css'
import { texts } from './texts.arb'

/** The message, byte for byte; its writing can not turn what is around it. */
export function MessageBox({ message }: { readonly message: string }) {
  const { review } = useTexts(texts)
  const parts = useMemo(() => shownMessage(message), [message])
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls */}
      <div
        className={styles.box}
        role="group"
        aria-label={review.message}
        dir="auto"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls what has the focus
        tabIndex={0}
      >
        <ShownParts parts={parts} />
      </div>
      {hidesSomething(parts) && <Note>{review.invisible}</Note>}
    </>
  )
}
