// Reads headings and links of Markdown files as GitHub renders them.

type Heading = { level: number; text: string; slug: string }
type Link = { line: number; target: string }

/** An inline link or image. The target ends before a title. */
const inlineLink = /(\]\()([^()\s]+)((?:\s+"[^"]*")?\))/g

/** Replaces each line outside of fenced code blocks. */
export function mapProse(text: string, change: (line: string, index: number) => string): string {
  let fence = ''
  return text
    .split('\n')
    .map((line, index) => {
      const [, marks = ''] = /^\s*(`{3,}|~{3,})/.exec(line) ?? []
      if (fence === '' && marks === '') return change(line, index)
      if (fence === '') fence = marks
      else if (marks.startsWith(fence) && line.trim() === marks) fence = ''
      return line
    })
    .join('\n')
}

/** Returns the anchor that GitHub creates for the text of a heading. */
export const formatSlug = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-')

/** Removes the marks of links, code and emphasis. */
const plainText = (markdown: string) =>
  markdown
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*]/g, '')
    .trim()

export function listHeadings(text: string): Heading[] {
  const headings: Heading[] = []
  const uses = new Map<string, number>()
  mapProse(text, (line) => {
    const [, marks, title] = /^(#{1,6}) (.*)$/.exec(line) ?? []
    if (marks !== undefined && title !== undefined) {
      const base = formatSlug(plainText(title))
      const used = uses.get(base) ?? 0
      uses.set(base, used + 1)
      const slug = used === 0 ? base : `${base}-${used}`
      headings.push({ level: marks.length, text: plainText(title), slug })
    }
    return line
  })
  return headings
}

/** Inline code is no link. */
const withoutCode = (line: string) => line.replaceAll(/`[^`]*`/g, (code) => ' '.repeat(code.length))

/** Returns the lines of prose, without code, link targets, HTML and words that are paths or addresses. */
export function listProse(text: string): { line: number; prose: string }[] {
  const lines: { line: number; prose: string }[] = []
  mapProse(text, (line, index) => {
    const words = withoutCode(line)
      .replaceAll(/\]\([^)]*\)/g, ']')
      .replaceAll(/<[^>]*>/g, ' ')
      .split(/\s+/)
      .filter((word) => !/[/@_]|\w\.\w/.test(word))
    lines.push({ line: index + 1, prose: words.join(' ') })
    return line
  })
  return lines
}

export function listLinks(text: string): Link[] {
  const links: Link[] = []
  mapProse(text, (line, index) => {
    for (const [, , target = ''] of withoutCode(line).matchAll(inlineLink))
      links.push({ line: index + 1, target })
    return line
  })
  return links
}

/** Replaces the target of every link and image outside of code. */
export const mapLinks = (text: string, change: (target: string) => string): string =>
  mapProse(text, (line) => {
    const masked = withoutCode(line)
    let result = ''
    let end = 0
    for (const { 1: open = '', 2: target = '', index } of masked.matchAll(inlineLink)) {
      const start = index + open.length
      result += line.slice(end, start) + change(target)
      end = start + target.length
    }
    return result + line.slice(end)
  })
