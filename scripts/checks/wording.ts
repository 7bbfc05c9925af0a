// Counts wording that docs/glossary.md and CONTRIBUTING.md rule out, per package. No linter has rules for it.
// The counts in wording.json are upper bounds. `npx node scripts/checks/wording.ts` lowers them to today's counts.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

type Counts = {
  pronouns: number
  openings: number
  tests: number
  names: number
  ofNames: number
  readonly: number
}
type Finding = { path: string; line: number; rule: keyof Counts; text: string }

const pronoun = /\b(?:what|who|whoever|whatever|whom|whose|whichever|nobody|somebody|everybody|anybody)\b/i
const opening =
  /^(?:what|who|whoever|whatever|whom|whose|where|one|none|nobody|somebody|those|it|of|for|as)\b/i
const participle =
  /\b(?:const|let|function|type) (?:said|asked|given|found|kept|taken|told|heard|made|stated|granted|begun|opened|shown|walked|there|before|around|brought|known|wanted|chosen|proven|meant|held|named|put|keep|take|leave|lose|look|tell)\b/
const ofName = /\b(?:const|let|function) [a-z]\w*Of\b/
const testName = /^\s*(?:it|test)(?:\.\w+)*\((['"`])(.+)\1/
const isTest = /\.(?:test|e2e|facts|clients|test-d)\.tsx?$|\/testing\//

/** Returns each comment of a source as one line of text, with its line number. */
function commentsIn(lines: readonly string[]) {
  const comments: { line: number; text: string }[] = []
  let isOpen = false
  let follows = false
  for (const [index, source] of lines.entries()) {
    const line = source.trim()
    const isComment = isOpen || line.startsWith('//') || line.startsWith('/*')
    if (isComment) {
      const text = line
        .replace(/^\/\*+|^\/\/|^\*+(?!\/)/, '')
        .replace('*/', '')
        .trim()
      const last = comments.at(-1)
      if (follows && last) last.text += ` ${text}`
      else comments.push({ line: index + 1, text })
      isOpen = (isOpen || line.startsWith('/*')) && !line.includes('*/')
    }
    follows = isComment && (isOpen || line.startsWith('//'))
  }
  return comments.map(({ line, text }) => ({ line, text: text.trim() }))
}

/** Returns the findings in one source. Only the names of tests count in a file of tests. */
export function wordingIn(path: string, source: string): readonly Finding[] {
  const lines = source.split('\n')
  const finding = (rule: keyof Counts, line: number, text: string) => ({ path, line, rule, text })
  if (isTest.test(path)) {
    return lines.flatMap((text, index) => {
      const name = testName.exec(text)?.[2]
      return name && pronoun.test(name) ? [finding('tests', index + 1, name)] : []
    })
  }
  const byLine = { names: participle, ofNames: ofName, readonly: /\breadonly\b/ }
  return [
    ...commentsIn(lines).flatMap(({ line, text }) => [
      ...(pronoun.test(text) ? [finding('pronouns', line, text)] : []),
      ...(opening.test(text) ? [finding('openings', line, text)] : []),
    ]),
    ...lines.flatMap((text, index) =>
      (Object.keys(byLine) as (keyof typeof byLine)[])
        .filter((rule) => byLine[rule].test(text))
        .map((rule) => finding(rule, index + 1, text.trim())),
    ),
  ]
}

/** Groups findings by package, such as `server` or `sdk/testing`. */
function byPackage(findings: readonly Finding[]) {
  const groups = new Map<string, Finding[]>()
  for (const finding of findings) {
    const parts = finding.path.split('/')
    const name = parts.slice(0, parts[0] === 'sdk' ? 2 : 1).join('/')
    groups.set(name, [...(groups.get(name) ?? []), finding])
  }
  return groups
}

type Bounds = { [packageName: string]: Partial<Counts> }

/** Returns the findings of each package and rule that exceed their bound. */
export function wordingProblems(findings: readonly Finding[], bounds: Bounds): readonly string[] {
  return [...byPackage(findings)].flatMap(([name, found]) =>
    [...new Set(found.map(({ rule }) => rule))].flatMap((rule) => {
      const ofRule = found.filter((finding) => finding.rule === rule)
      const bound = bounds[name]?.[rule] ?? 0
      if (ofRule.length <= bound) return []
      return [
        `${name}: ${ofRule.length} × ${rule}, at most ${bound}. Reword the new one among these:`,
        ...ofRule.map(({ path, line, text }) => `  ${path}:${line} ${text.slice(0, 120)}`),
      ]
    }),
  )
}

const boundsPath = join(import.meta.dirname, 'wording.json')
export const readBounds = (): Bounds => JSON.parse(readFileSync(boundsPath, 'utf8'))

/** Lowers each bound to the present count. A new package starts at its count. */
export function lowerBounds(findings: readonly Finding[], bounds: Bounds): Bounds {
  const lowered: Bounds = {}
  for (const [name, found] of [...byPackage(findings)].sort(([a], [b]) => a.localeCompare(b))) {
    const counts: Partial<Counts> = {}
    for (const { rule } of found) counts[rule] = (counts[rule] ?? 0) + 1
    for (const rule of Object.keys(counts) as (keyof Counts)[])
      counts[rule] = Math.min(
        counts[rule] ?? 0,
        bounds[name] ? (bounds[name][rule] ?? 0) : Number.POSITIVE_INFINITY,
      )
    lowered[name] = counts
  }
  return lowered
}

if (import.meta.main) {
  const { repositoryFiles, readText } = await import('./files.ts')
  const findings = (await repositoryFiles())
    .filter(isWorded)
    .flatMap((path) => wordingIn(path, readText(path)))
  writeFileSync(boundsPath, `${JSON.stringify(lowerBounds(findings, readBounds()), undefined, 2)}\n`)
}

export function isWorded(path: string) {
  return /\.tsx?$/.test(path) && !path.startsWith('sdk/migrate/examples/')
}
