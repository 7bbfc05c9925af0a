import type { MessagePart } from '@latchkey/protocol/reading'
import styles from './shown-parts.module.css'

export const hidesSomething = (parts: readonly MessagePart[]) =>
  parts.some((part) => part.kind === 'invisible')

/** A text of somebody else, with names for what can not be seen in it. */
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
