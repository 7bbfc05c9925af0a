// Finds regular expressions of the product that take more than linear time (ReDoS). The analysis repeats single
// characters. The tests of linear time feed longer repetitions to the readers of foreign text. eslint-plugin-regexp and
// recheck took 40 to 64 s and ran into timeouts here, so scslre, the analysis of that plugin, runs alone.

import { analyse } from 'scslre'
import { parseSync } from 'vite'

const isTestOrTool =
  /\.(?:test|test-d|facts|e2e|config)\.[mc]?[jt]sx?$|(?:^|\/)(?:testing|tests?|fixtures|gallery|build)\/|(?:^|\/)test-[\w-]+\.tsx?$/
const isProductSource = (path: string) =>
  /^(?:protocol|loader|dialog-app|wallet-frame|server|sdk)\/.*\.[mc]?[jt]sx?$/.test(path) &&
  !path.endsWith('.d.ts') &&
  !isTestOrTool.test(path)

/** Files that compose expressions at run time. The analysis reads literals only, so each file states its reason. */
const composing: Readonly<Record<string, string>> = {
  'protocol/doc/limits.ts': 'runs over our own sources',
  'protocol/entities/cross-app.ts': 'a fixed length of one class, between anchors',
  'protocol/reading/shown-message.ts': 'alternatives of single characters; the linear-time test covers it',
  'server/integrations/sms/environment.ts': 'a fixed length, of a setting',
  'server/pages/pages/template.ts': 'runs once over our own built pages',
  'server/platform/funding/environment.ts': 'two runs apart by a colon, of a setting',
}

type Expression = { line: number } & (
  | { type: 'literal'; pattern: string; flags: string }
  | { type: 'composed' }
)

/** Returns one line per problem. `readText` returns the text of a file. */
export function slowExpressions(paths: string[], readText: (path: string) => string): string[] {
  const composers = new Set<string>()
  const problems = paths.filter(isProductSource).flatMap((path) =>
    expressionsIn(path, readText(path)).flatMap((expression) => {
      if (expression.type === 'literal')
        return slowness(expression).map((why) => `${path}:${expression.line}: ${why}`)
      composers.add(path)
      if (Object.hasOwn(composing, path)) return []
      return [`${path}:${expression.line}: RegExp() is not analysed. Use a literal`]
    }),
  )
  const stale = Object.keys(composing)
    .filter((path) => paths.includes(path) && !composers.has(path))
    .map((path) => `${path} composes no expression any more. Remove it from the list`)
  return [...problems, ...stale]
}

function slowness({ pattern, flags }: Extract<Expression, { type: 'literal' }>): string[] {
  const { reports } = analyse({ source: pattern, flags })
  return reports.map(
    ({ character, exponential }) =>
      `/${pattern}/${flags} takes ${exponential ? 'exponential' : 'more than linear'} time ` +
      `for a repeated ${JSON.stringify(character.pick)}`,
  )
}

function expressionsIn(path: string, text: string): Expression[] {
  const { program, errors } = parseSync(path, text)
  const [error] = errors
  if (error) throw new Error(`${path}: ${error.message}`)
  const expressions: Expression[] = []
  const lineAt = (start: number) => text.slice(0, start).split('\n').length
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    const { type, start = 0, regex, callee } = value as Partial<ParsedNode>
    if (regex) expressions.push({ type: 'literal', line: lineAt(start), ...regex })
    if ((type === 'NewExpression' || type === 'CallExpression') && callee?.name === 'RegExp') {
      expressions.push({ type: 'composed', line: lineAt(start) })
    }
    for (const child of Object.values(value)) visit(child)
  }
  visit(program)
  return expressions
}

type ParsedNode = {
  type: string
  start: number
  regex: { pattern: string; flags: string }
  callee: { name?: string }
}
