/** What a person reads on a screen, drawn by its own components. */
import { createElement, Fragment, type ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import type { ShownPart } from '../core/screen.ts'

/** The whole text of each element, and what names one to who does not see it. */
export async function readScreen(part: ShownPart | undefined): Promise<readonly string[]> {
  if (!part) throw new Error('No screen is shown')
  await part.load('en')
  const drawn = part.draw<ReactNode>((component, props) => createElement<typeof props>(component, props))
  return textsIn(renderToStaticMarkup(createElement(Fragment, null, drawn)))
}

const token = /<(\/?)([a-zA-Z0-9]+)((?:\s[^<>"]*(?:"[^"]*")?)*)(\/?)>|([^<]+)/g
const voidElements = new Set(['br', 'hr', 'img', 'input', 'meta', 'link'])

/** Of markup as React writes it. */
export function textsIn(markup: string): readonly string[] {
  const texts: string[] = []
  const open: string[] = []
  const say = (text: string) => {
    const read = decoded(text).replace(/\s+/g, ' ').trim()
    if (read !== '') texts.push(read)
  }
  for (const [, closing, name = '', attributes = '', selfClosing, text] of markup.matchAll(token)) {
    if (text !== undefined) {
      for (const [at, before] of open.entries()) open[at] = before + text
    } else if (closing) {
      say(open.pop() ?? '')
    } else {
      for (const [, value = ''] of attributes.matchAll(
        /\s(?:aria-label|placeholder|title|alt|value)="([^"]*)"/g,
      ))
        say(value)
      if (!selfClosing && !voidElements.has(name)) open.push('')
    }
  }
  return texts
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" }
const decoded = (text: string) =>
  text.replace(/&([a-z0-9#]+);/g, (entity, name: string) => entities[name] ?? entity)
