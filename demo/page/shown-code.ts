import { byId, byTestId } from './elements.ts'
import { readFunctionBody } from './source.ts'

/** A minimal highlighter for these snippets: strings, keywords, comments and the client. */
const pattern = /(\/\/[^\n]*)|('[^'\n]*'|`[^`\n]*`)|\b(const|await|return|as|new)\b|\b(latchkey\.\w+)/g
const classes = ['comment', 'string', 'word', 'call'] as const

const coloured = (code: string): readonly (string | HTMLElement)[] => {
  const parts: (string | HTMLElement)[] = []
  let end = 0
  for (const match of code.matchAll(pattern)) {
    const mark = document.createElement('span')
    mark.className = classes.find((_, at) => match[at + 1] !== undefined) ?? ''
    mark.textContent = match[0]
    parts.push(code.slice(end, match.index), mark)
    end = match.index + match[0].length
  }
  return [...parts, code.slice(end)]
}

let shownBody = ''
export const shownCode = () => shownBody

// On a narrow page the code is below the pressed row, on a wide page beside the list.
const narrow = matchMedia('(width <= 900px)')
let shownName = ''
const place = () => {
  const pane = byId('code')
  const row = document.querySelector(`[data-thing="${shownName}"]`) ?? byId('account-card')
  if (narrow.matches) row.after(pane)
  else byId('beside').prepend(pane)
}
narrow.addEventListener('change', place)

export const showCode = (name: string) => {
  if (name === shownName) return
  shownName = name
  shownBody = readFunctionBody(name)
  byTestId('code').replaceChildren(...coloured(shownBody))
  byId('code-name').textContent = name
  for (const row of document.querySelectorAll<HTMLElement>('[data-thing]'))
    row.toggleAttribute('data-shown', row.dataset.thing === name)
  place()
}
