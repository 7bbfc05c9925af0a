// Code blocks in the docs that print a file. A comment before the block names the file and optionally, after a
// #, the region:
//
//   <!-- examples/backends/index.html#ask -->
//
// A region is between lines that end in `#region ask` and `#endregion ask`, like editor folds.
// printed-files.test.ts compares the blocks; `node scripts/checks/printed-files.ts` updates them.

import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** The documentation pages for hosts and operators. */
export const pages = ['README.md', 'loader/README.md', 'sdk/server/README.md', 'examples/README.md'].concat(
  globSync('docs/{*,security/*}.md', { cwd: root }).sort(),
)
export const readText = (path: string) => readFileSync(join(root, path), 'utf8')

const printedBlock = /^<!-- ([\w./-]+)(?:#([\w-]+))? -->(\n+)```(\w+)\n.*?^```$/gms

/** Returns the files that a page prints. */
export const filesIn = (page: string) => [...page.matchAll(printedBlock)].map(([, path = '']) => path)

function readRegion(text: string, path: string, name: string): string {
  const region = new RegExp(`^[^\\n]*#region ${name}\\n(.*?)^[^\\n]*#endregion ${name}$`, 'ms').exec(
    text,
  )?.[1]
  if (region === undefined) throw new Error(`${path} has no region ${name}`)
  const indents = [...region.matchAll(/^ *(?=\S)/gm)].map(([{ length }]) => length)
  return region.replaceAll(new RegExp(`^ {${Math.min(...indents)}}`, 'gm'), '')
}

/** Returns the page with the current content of the files. */
export const withFiles = (page: string, read = readText): string =>
  page.replace(printedBlock, (_, path: string, region: string | undefined, gap: string, language: string) => {
    const text = read(path)
    const printed = region === undefined ? text : readRegion(text, path, region)
    const name = region === undefined ? path : `${path}#${region}`
    return `<!-- ${name} -->${gap}\`\`\`${language}\n${printed}\`\`\``
  })

if (import.meta.main) {
  for (const page of pages) {
    const text = readText(page)
    const printed = withFiles(text)
    if (printed !== text) writeFileSync(join(root, page), printed)
  }
}
