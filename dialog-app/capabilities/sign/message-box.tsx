import { useMemo } from 'react'
import { useTexts } from '../../i18n/context.tsx'
import { Note } from '../../ui/stack.tsx'
import styles from './message-box.module.css'
import { type MessagePart, shownMessage } from './shown-message.ts'
import { texts } from './texts.ts'

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
        <Parts parts={parts} />
      </div>
      {hidesSomething(parts) && <Note>{review.invisible}</Note>}
    </>
  )
}

export const hidesSomething = (parts: readonly MessagePart[]) =>
  parts.some((part) => part.kind === 'invisible')

export const Parts = ({ parts }: { readonly parts: readonly MessagePart[] }) =>
  parts.map((part, position) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one message do not move
    <Part key={position} part={part} />
  ))

const Part = ({ part }: { readonly part: MessagePart }) =>
  part.kind === 'text' ? (
    part.text
  ) : (
    <bdi className={styles.chip} dir="ltr">
      {part.name}
    </bdi>
  )
