/** Shared formatting of the generated pages in docs/reference/. */

/** A paragraph, or the lines of a table. */
type Block = string | string[]

/** Formats a generated page. A blank line separates its blocks. */
export function markdownPage(title: string, ...blocks: Block[]): string {
  const generatedBy = '<!-- Written by `npm run reference` from the sources. Do not edit. -->'
  const texts = blocks.map((block) => (typeof block === 'string' ? block : block.join('\n')))
  return `${[`# ${title}`, generatedBy, ...texts].join('\n\n')}\n`
}

const escapeCell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

/** Formats a Markdown table. */
export function markdownTable(header: string[], rows: string[][]): string[] {
  const line = (cells: string[]) => `| ${cells.map(escapeCell).join(' | ')} |`
  return [line(header), line(header.map(() => '---')), ...rows.map(line)]
}

const units: [seconds: number, name: string][] = [
  [86_400, 'days'],
  [3_600, 'hours'],
  [60, 'minutes'],
]

/** Formats a duration in its largest unit. */
export function formatDuration(seconds: number, secondsName: string): string {
  const [size, name] = units.find(([unit]) => seconds >= 2 * unit && seconds % unit === 0) ?? [1, secondsName]
  return `${seconds / size} ${name}`
}
