import { byId } from './elements.ts'
import { showCode } from './shown-code.ts'
import { type Group, groups, type Thing } from './things.ts'

type Run = (thing: Thing, pressed: HTMLButtonElement, value: string) => void

const element = (name: string, text: string) =>
  Object.assign(document.createElement(name), { textContent: text })

const box = <Made extends HTMLElement>(made: Made, className: string, ...children: readonly Node[]): Made => {
  made.className = className
  made.append(...children)
  return made
}

const createField = ({ field }: Thing) => {
  if (field === undefined) return undefined
  const { label, value, testId } = field
  const input = document.createElement('textarea')
  Object.assign(input, { rows: 1, value, required: true, spellcheck: false, ariaLabel: label })
  if (testId !== undefined) input.dataset.testid = testId
  return input
}

const createButton = ({ button, label, needs, testId }: Thing) => {
  const press = document.createElement('button')
  press.type = 'submit'
  press.ariaLabel = `${button}: ${label}`
  press.dataset.needs = needs
  press.append(element('span', button))
  if (testId !== undefined) press.dataset.testid = testId
  return press
}

const row = (thing: Thing, run: Run) => {
  const { name, label, text } = thing
  const input = createField(thing)
  const press = createButton(thing)
  const words = box(document.createElement('div'), 'words', element('h3', label), element('p', text))
  const form = box(document.createElement('form'), 'thing', words, ...(input ? [input] : []), press)
  form.dataset.thing = name
  form.addEventListener('focusin', () => showCode(name))
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    run(thing, press, input?.value ?? '')
  })
  return form
}

const section = ({ title, text, things }: Group, run: Run) => {
  const rows = things.map((thing) => row(thing, run))
  const about = box(element('p', text), 'about')
  return box(
    document.createElement('section'),
    'group',
    element('h2', title),
    about,
    box(document.createElement('div'), 'things', ...rows),
  )
}

/** Shows every demo action with its button. Focusing an action shows its code. */
export const showThings = (run: Run) => byId('things').append(...groups.map((group) => section(group, run)))

/** Enables the buttons that the visitor or user may press. The others show their missing precondition. */
export const allowFor = (who: 'visitor' | 'user' | 'wallet') => {
  const may = { visitor: ['visitor'], user: ['user'], wallet: ['user', 'wallet'] }[who]
  const why = { visitor: 'Log out first', user: 'Log in first', wallet: 'Log in and create a wallet first' }
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-needs]')) {
    const needs = button.dataset.needs as keyof typeof why
    button.disabled = !may.includes(needs)
    button.title = button.disabled ? why[needs] : ''
  }
}
