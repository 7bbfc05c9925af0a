/** Shared formatting of the generated pages in docs/reference/. */

export const generatedBy = '<!-- Written by `npm run reference` from the sources. Do not edit. -->'

const escapeCell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

/** Formats a Markdown table. */
export function markdownTable(header: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.map(escapeCell).join(' | ')} |`
  return [line(header), line(header.map(() => '---')), ...rows.map(line)]
}
