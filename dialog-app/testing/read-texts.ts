/** Reads the words of each element of a screen. */
import { renderToStaticMarkup } from 'react-dom/server'
import type { ShownScreen } from '../flow/screen.ts'

export type ReadTexts = {
  title: string
  /** The texts of buttons and links, and of the elements in them. */
  buttons: readonly string[]
  /** The texts of every element, including its descendants. */
  texts: readonly string[]
}

const entities: Readonly<Record<string, string>> = {
  '&#x27;': "'",
  '&quot;': '"',
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
}
const plain = (markup: string) =>
  markup.replace(/&(?:#x27|quot|lt|gt|amp);/g, (each) => entities[each] ?? each)

/** An `input` has no text and no end tag. */
const isVoid = (name: string) => name === 'input' || name === 'img' || name === 'br' || name === 'hr'

export function readTexts(screen: Pick<ShownScreen, 'render'>): ReadTexts {
  const markup = renderToStaticMarkup(screen.render())
  const open: { name: string; text: string }[] = []
  const closed: { name: string; text: string; isPressed: boolean }[] = []
  for (const [, end, name = '', selfClosed, text] of markup.matchAll(
    /<(\/?)([a-z0-9]+)(?:\s[^>]*?)?(\/?)>|([^<]+)/g,
  )) {
    if (text !== undefined) for (const each of open) each.text += plain(text)
    else if (end) {
      const last = open.pop()
      if (last?.name !== name) throw new Error(`</${name}> ends <${last?.name}>`)
      const isPressed = [last, ...open].some((each) => each.name === 'button' || each.name === 'a')
      closed.push({ name, text: last.text.trim(), isPressed })
    } else if (!selfClosed && !isVoid(name)) open.push({ name, text: '' })
  }
  return {
    title: closed.find(({ name }) => name === 'h1' || name === 'h2')?.text ?? '',
    buttons: closed.filter(({ isPressed }) => isPressed).map(({ text }) => text),
    texts: closed.map(({ text }) => text),
  }
}
