/** Text edits by source positions, applied at the end. Removing a range also drops the edits inside it. */
import MagicString from 'magic-string'

type Edit = { start: number; end: number; apply: (text: MagicString) => void }

export class Edits {
  readonly #source: string
  readonly #edits: Edit[] = []
  readonly #removed: { readonly start: number; readonly end: number }[] = []

  constructor(source: string) {
    this.#source = source
  }

  update(start: number, end: number, content: string): void {
    this.#edits.push({ start, end, apply: (text) => void text.update(start, end, content) })
  }

  remove(start: number, end: number): void {
    if (start < end) this.#removed.push({ start, end })
  }

  /** Inserts content before a position, attached to the preceding text. */
  appendLeft(at: number, content: string): void {
    this.#edits.push({ start: at, end: at, apply: (text) => void text.appendLeft(at, content) })
  }

  /** Inserts content after a position, attached to the following text. */
  appendRight(at: number, content: string): void {
    this.#edits.push({ start: at, end: at, apply: (text) => void text.appendRight(at, content) })
  }

  /** Returns the edited text, or undefined if two edits conflict. */
  apply(): string | undefined {
    const text = new MagicString(this.#source)
    const isRemoved = ({ start, end }: Edit) =>
      this.#removed.some((gone) =>
        start === end ? gone.start < start && start < gone.end : gone.start <= start && end <= gone.end,
      )
    try {
      for (const { start, end } of this.#removed) text.remove(start, end)
      for (const edit of this.#edits) if (!isRemoved(edit)) edit.apply(text)
      return text.toString()
    } catch {
      return undefined
    }
  }
}
