import { byId, byTestId } from './elements.ts'

const keptEntries = 60

export type LogEntry = {
  /** An event of the client, a call of this page, or a failed call. */
  kind: 'event' | 'call' | 'failure'
  name: string
  detail?: string
}

const formatTime = (date: Date) =>
  `${date.toLocaleTimeString('en-GB')}.${String(date.getMilliseconds()).padStart(3, '0')}`

const cell = (tag: 'time' | 'code' | 'span', text: string) => {
  const element = document.createElement(tag)
  element.textContent = text
  return element
}

let count = 0

/** Logs an entry at the top, where it is visible without scrolling. */
export const logEvent = ({ kind, name, detail = '' }: LogEntry) => {
  const entry = document.createElement('li')
  entry.dataset.kind = kind
  entry.dataset.event = name
  entry.append(cell('time', formatTime(new Date())), cell('code', name), cell('span', detail))
  const log = byTestId('event-log')
  log.prepend(entry)
  while (log.children.length > keptEntries) log.lastElementChild?.remove()
  count += 1
  byId('log-count').textContent = count === 1 ? '1 entry' : `${count} entries`
}
