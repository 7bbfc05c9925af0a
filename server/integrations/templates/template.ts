/** Checks and fills the operator's words of mails and texts. */
import { adminLimits, type MessageKind, type MessageTemplate, messageKinds } from '@latchkey/protocol/admin'
import { html } from 'hono/html'
import { AdminError } from '../../kernel/http/admin-endpoint.ts'

type Html = ReturnType<typeof html>
const placeholder = /\{\{(app|code)\}\}/g

/** Throws unless the template may be sent. A stolen admin key must not turn a login code into a phishing mail. */
export function assertTemplate(kind: MessageKind, { subject, heading, blocks }: MessageTemplate): void {
  const { hasSubject, hasCode, mostBlocks, longestBlock } = messageKinds[kind]
  const { longestMessageLine } = adminLimits
  if (hasSubject) {
    assertLine('subject', subject, ['app', 'code'], longestMessageLine)
    assertLine('heading', heading, ['app'], longestMessageLine)
  } else {
    assertNone('subject', subject)
    assertNone('heading', heading)
  }
  if (blocks.length === 0)
    throw new AdminError('invalid_data', 'Write at least one block', { path: 'blocks' })
  if (blocks.length > mostBlocks) {
    throw new AdminError('invalid_data', `Write at most ${mostBlocks} blocks`, { path: 'blocks' })
  }
  const allowed = hasCode ? ['app', 'code'] : ['app']
  for (const [at, block] of blocks.entries()) assertLine(`blocks.${at}`, block, allowed, longestBlock)
  if (hasCode && !blocks.some((block) => block.includes('{{code}}'))) {
    throw new AdminError('code_placeholder_missing', 'Write {{code}} where the code goes', { path: 'blocks' })
  }
}

function assertNone(path: string, line: string | null): void {
  if (line !== null) throw new AdminError('invalid_data', `This message has no ${path}: send null`, { path })
}

function assertLine(path: string, line: string | null, allowed: string[], longest: number): void {
  if (line === null || line.trim() === '') {
    throw new AdminError('invalid_data', 'Write at least one word', { path })
  }
  if (line.length > longest) {
    throw new AdminError('invalid_data', `Write at most ${longest} characters`, { path })
  }
  if (invisibleCharacter.test(line)) {
    const detail = 'Remove line breaks, control characters and direction marks'
    throw new AdminError('character_not_allowed', detail, { path })
  }
  assertPlaceholders(path, line, allowed)
  if (hasLink(line)) {
    const detail = 'Remove the address, or write a space after each full stop'
    throw new AdminError('link_not_allowed', detail, { path })
  }
}

/** The joiners are letters of some scripts, such as Persian. All other format characters can reorder or hide text. */
const invisibleCharacter = /(?![\u200C\u200D])[\p{C}\p{Zl}\p{Zp}]/u

function assertPlaceholders(path: string, line: string, allowed: string[]): void {
  const placeholders = allowed.map((name) => `{{${name}}}`)
  const rest = placeholders.reduce((text, name) => text.replaceAll(name, ''), line)
  if (!/\{\{|\}\}/.test(rest)) return
  throw new AdminError('unknown_placeholder', `Only ${placeholders.join(' and ')} can be used here`, { path })
}

/** Parts of a text that mail clients turn into links: schemes, domains and IP addresses. */
const links = [
  /\b(?:https?|ftp|mailto|tel|sms|data|javascript):/i,
  /:\/\//,
  /[\p{L}\p{N}]\.(?:\p{L}{2}|xn--)/iu,
  /\d\.\d{1,3}\.\d{1,3}\.\d/,
]

/** A placeholder counts as a word, so that `{{app}}.example` is a link. */
function hasLink(line: string): boolean {
  const visible = line
    .replaceAll(/[\u200C\u200D]/g, '')
    .normalize('NFKC')
    .replaceAll(placeholder, 'x')
  return links.some((link) => link.test(visible))
}

type Values = { app: string; code?: string }

/** Fills a line of a subject or of plain text. */
export const fillText = (line: string, { app, code = '' }: Values): string =>
  line.replaceAll(placeholder, (_, name: string) => (name === 'app' ? app : code))

/** Fills a line of HTML. Everything is escaped. */
export function fillHtml(line: string, { app, code = '' }: Values): Html {
  const parts = line.split(placeholder).map((part, at) => {
    if (at % 2 === 0) return part
    return part === 'app' ? html`<bdi>${app}</bdi>` : html`<strong dir="ltr">${code}</strong>`
  })
  return html`${parts}`
}
