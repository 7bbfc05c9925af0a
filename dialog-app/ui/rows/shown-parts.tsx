import type { MessagePart } from '@latchkey/protocol/reading'
import styles from './shown-parts.module.css'

export const hasInvisibleParts = (parts: readonly MessagePart[]) =>
  parts.some((part) => part.kind === 'invisible')

/** A third party's text with names in place of invisible characters. */
export const ShownParts = ({ parts }: { parts: readonly MessagePart[] }) =>
  parts.map((part, position) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text do not move
    <Part key={position} part={part} />
  ))

const Part = ({ part }: { part: MessagePart }) =>
  part.kind === 'text' ? (
    part.text
  ) : (
    <bdi className={styles.chip} dir="ltr">
      {part.name}
    </bdi>
  )
