/** Edits of a text by positions in its source, applied at the end: what is removed takes the edits within it along. */
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

  /** Puts content before a position, so that it goes with what ends there. */
  appendLeft(at: number, content: string): void {
    this.#edits.push({ start: at, end: at, apply: (text) => void text.appendLeft(at, content) })
  }

  /** Puts content behind a position, so that it goes with what begins there. */
  appendRight(at: number, content: string): void {
    this.#edits.push({ start: at, end: at, apply: (text) => void text.appendRight(at, content) })
  }

  /** The edited text, or undefined if two edits are for the same place. */
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
