// npm run house [-- <git ref>]: figures about the structure of the project, each counted from the tree of tracked files;
// with a ref, those of that commit beside those of today. It decides nothing.

import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** The tracked files of a checkout, with the texts of those that are sources or pages. */
export type Tree = {
  readonly paths: readonly string[]
  readonly textOf: (path: string) => string
  /** The folders of the server from the top floor to the lowest; none where no table says them. */
  /** From the top, the folders on each floor of a package. */
  readonly floors: Readonly<Record<string, readonly (readonly string[])[]>>
}

const isSource = (path: string) => /\.[mc]?[jt]sx?$/.test(path) && !path.endsWith('.d.ts')
const isTest = (path: string) =>
  /\.(?:test|test-d|facts|e2e)\.tsx?$/.test(path) ||
  /(?:^|\/)(?:(?:testing|tests?|fixtures|e2e|gallery)\/|test-[\w-]+\.tsx?$)/.test(path)
const isConfig = (path: string) => /\.config\.[mc]?[jt]s$/.test(path)

const packages = ['protocol', 'loader', 'dialog-app', 'wallet-frame', 'server']
const packageOf = (path: string) => path.slice(0, path.indexOf('/'))

/** What ships: sources of the packages without their tests and build files. */
export const productSources = ({ paths }: Pick<Tree, 'paths'>, among: readonly string[] = packages) =>
  paths.filter(
    (path) =>
      isSource(path) &&
      among.includes(packageOf(path)) &&
      !isTest(path) &&
      !isConfig(path) &&
      !path.includes('/build/'),
  )

const importForms =
  /\b(?:import|export)\s+(?<type>type\s)?(?:[^'";]*?\sfrom\s*)?'(?<still>[^']+)'|\bimport\(\s*'(?<lazy>[^']+)'/g

/** The files of the tree that a file imports by a path. Types load nothing, and so does what is imported later. */
export function importsOf(
  { textOf }: Pick<Tree, 'textOf'>,
  path: string,
  which: 'all' | 'loaded at once' = 'all',
): readonly string[] {
  return [...textOf(path).matchAll(importForms)].flatMap(({ groups }) => {
    const { type, still, lazy } = groups ?? {}
    if (which === 'loaded at once' && (type !== undefined || still === undefined)) return []
    const name = (still ?? lazy ?? '').replace(/\?.*$/, '')
    return name.startsWith('.') ? [posix.join(dirname(path), name)] : []
  })
}

export function importsUpTheFloors(tree: Tree): number | undefined {
  const packages = Object.keys(tree.floors)
  if (packages.length === 0) return undefined
  const floorOf = (path: string) => {
    const [folder = '', room = ''] = path.split('/')
    return tree.floors[folder]?.findIndex((rooms) => rooms.includes(room)) ?? -1
  }
  return productSources(tree, packages).flatMap((path) =>
    importsOf(tree, path).filter((imported) => {
      const [from, to] = [floorOf(path), floorOf(imported)]
      return imported.split('/')[0] === path.split('/')[0] && from >= 0 && to >= 0 && to < from
    }),
  ).length
}

const MANY_FILES = 20
export function crowdedFolders({ paths }: Tree): number {
  const counts = Map.groupBy(paths, (path) => dirname(path))
  return [...counts.values()].filter((files) => files.length > MANY_FILES).length
}

const SHORT_LINES = 20
const linesOf = (text: string) => text.trimEnd().split('\n').length
export function shareOfShortSources(tree: Tree): number | undefined {
  const sources = productSources(tree, ['dialog-app'])
  const short = sources.filter((path) => linesOf(tree.textOf(path)) < SHORT_LINES)
  return sources.length === 0 ? undefined : short.length / sources.length
}

/** Files that name a login method and do not lie in a folder of its name. */
export const namedOutside = (tree: Tree, method: string) =>
  productSources(tree).filter(
    (path) =>
      !path.split('/').slice(0, -1).includes(method) &&
      tree.textOf(path).toLowerCase().includes(method.toLowerCase()),
  )

export const filesNaming = (tree: Tree, call: string) =>
  productSources(tree).filter((path) => new RegExp(`\\b${call}\\b`).test(tree.textOf(path)))

/** In an expression a name stands beside a bar without spaces, or before an ending such as `\.ts`. */
const nameInExpression = /(?<=\|)[a-z][\w/-]{2,}|[a-z][\w/-]{2,}(?=\||\\{1,2}\.(?:tsx?|css)\b)/g

/** Words of the language, and a condition of Vite's, which no rename touches. */
const noNames = ['from', 'import', 'development', 'production']

/** Names of files and folders in regular expressions of build files, which have to follow each rename. */
export const namesInExpressions = (tree: Tree) =>
  tree.paths
    .filter((path) => isSource(path) && !isTest(path) && (isConfig(path) || path.includes('/build/')))
    .flatMap((path) => tree.textOf(path).split('\n'))
    .filter((line) => !/^\s*(?:\/\/|\/?\*)/.test(line))
    .flatMap((line) => line.replaceAll(/\$\{[^}]*\}|\?[:!=]/g, '').match(nameInExpression) ?? [])
    .filter((name) => !noNames.includes(name))

/**
 * A sentence begins with its subject. One that begins with a preposition, a conjunction, an adverb or a participle here
 * most often has none: 'Of the page.', 'By thumbprint, …', 'Not one that …'. A subordinate clause in front of a full
 * sentence ('If …, it …', 'When …, the …') has a comma and is let through.
 */
const noSubject =
  /^(?:of|by|for|in|on|at|to|with|without|from|as|into|beside|between|until|else|not|nor|only|also|already|again|asked|said|kept|called|made|told|shown|sent|read|written|taken|given|done|was|is|has|may|would)\b(?![^.:]*,)/i
const docComment = /\/\*\*\s*(?:\*\s*)?([^\s*][^\n]*)/g
export const commentsWithoutSubject = (tree: Tree) =>
  productSources(tree).flatMap((path) =>
    [...tree.textOf(path).matchAll(docComment)]
      .map(([, text = '']) => text.replace(/\s*\*\/.*$/, ''))
      .filter((text) => noSubject.test(text))
      .map((text) => `${path}: ${text}`),
  )

const loginCapabilities = ['landing', 'email', 'codes']

/**
 * What runs in the dialog until a code is asked for: what its page imports, and what the capabilities of a login by mail
 * load when they are used. Other languages and other methods are loaded by imports that stay closed.
 */
export function filesOfLogin(tree: Tree): readonly string[] {
  const isThere = new Set(tree.paths)
  const entries = [...pageScripts(tree), ...productSources(tree, ['dialog-app']).filter(isOfLogin)]
  const found = new Set<string>()
  const visit = (path: string) => {
    if (!isThere.has(path) || !isSource(path) || found.has(path)) return
    found.add(path)
    for (const imported of importsOf(tree, path, 'loaded at once')) visit(imported)
  }
  for (const entry of entries) visit(entry)
  return [...found].filter((path) => packageOf(path) === 'dialog-app')
}
const isOfLogin = (path: string) => {
  const [, capabilities, name, ...inside] = path.split('/')
  if (capabilities !== 'capabilities' || !loginCapabilities.includes(name ?? '')) return false
  return !inside.some((part) => /^(?:lazy$|later-|gallery|texts\.ar)/.test(part) || /\.ar\.ts$/.test(part))
}
const pageScripts = ({ paths, textOf }: Tree) =>
  paths
    .filter((path) => /^dialog-app\/(?:\w+\/)?(?:index|open)\.html$/.test(path))
    .flatMap((page) =>
      [...textOf(page).matchAll(/<script[^>]*\bsrc="([^"]+)"/g)].map(([, script = '']) =>
        script.startsWith('/') ? `dialog-app${script}` : posix.join(dirname(page), script),
      ),
    )

const testCall = /^\s*(?:test|it)(?:\.(?:each|for|skipIf|runIf)\b[^\n]*|\.(?:concurrent|fails))?\s*[(<`]/gm
/** Tests as the sources write them: one of a table counts once, and so does one that runs on two engines. */
export const countTests = ({ paths, textOf }: Tree) =>
  paths
    .filter((path) => /\.(?:test|facts|e2e)\.tsx?$/.test(path))
    .reduce((sum, path) => sum + (textOf(path).match(testCall)?.length ?? 0), 0)

type Figure = readonly [name: string, value: (tree: Tree) => number | undefined, unit?: 'share']

export const figuresOf = (method: string, call: string): readonly Figure[] => [
  ['tracked files', ({ paths }) => paths.length],
  [`folders with more than ${MANY_FILES} files`, crowdedFolders],
  ['imports up the floors of a package, tests aside', importsUpTheFloors],
  [`sources of the dialog under ${SHORT_LINES} lines, tests aside`, shareOfShortSources, 'share'],
  ['files that a login by mail runs in the dialog', (tree) => filesOfLogin(tree).length],
  [
    `product files that name '${method}', outside of its folders`,
    (tree) => namedOutside(tree, method).length,
  ],
  [`product files that name the host's call ${call}`, (tree) => filesNaming(tree, call).length],
  ['names of files and folders in regular expressions of builds', (tree) => namesInExpressions(tree).length],
  ['doc comments that begin without a subject', (tree) => commentsWithoutSubject(tree).length],
  ['tests in the sources', countTests],
]

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const git = (folder: string, ...args: string[]) =>
  execFileSync('git', args, { cwd: folder, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })

async function treeIn(folder: string): Promise<Tree> {
  // What is deleted or moved and not yet committed is no file any more.
  const paths = git(folder, 'ls-files', '-z', '--cached', '--others', '--exclude-standard')
    .split('\0')
    .filter((path) => path !== '' && existsSync(join(folder, path)))
  const texts = new Map<string, string>()
  const textOf = (path: string) => {
    const text = texts.get(path) ?? readFileSync(join(folder, path), 'utf8')
    texts.set(path, text)
    return text
  }
  const rules = paths.find((path) => /^scripts\/(?:checks\/)?import-rules\.(?:mjs|ts)$/.test(path))
  const { floors = {} } = rules === undefined ? {} : await import(pathToFileURL(join(folder, rules)).href)
  return { paths, textOf, floors }
}

/** A work tree of its own, so that nothing of today's is touched. */
async function atCommit<Result>(ref: string, read: (tree: Tree) => Result): Promise<Result> {
  const place = mkdtempSync(join(tmpdir(), 'latchkey-house-'))
  try {
    git(root, 'worktree', 'add', '--quiet', '--detach', place, ref)
    return read(await treeIn(place))
  } finally {
    git(root, 'worktree', 'remove', '--force', place)
    rmSync(place, { recursive: true, force: true })
  }
}

const print = (value: number | undefined, unit?: 'share') => {
  if (value === undefined) return '–'
  return unit === 'share' ? `${Math.round(value * 100)} %` : value.toLocaleString('en')
}

async function main([ref, method = 'telegram', call = 'signTypedData']: readonly string[]) {
  const figures = figuresOf(method, call)
  const column = (tree: Tree) => figures.map(([, value, unit]) => print(value(tree), unit))
  const columns = [column(await treeIn(root))]
  const heads = ['today']
  if (ref !== undefined) {
    columns.unshift(await atCommit(ref, column))
    heads.unshift(ref)
  }
  const width = Math.max(8, ...heads.map((head) => head.length)) + 2
  const line = (name: string, cells: readonly string[]) =>
    `  ${name.padEnd(66)}${cells.map((cell) => cell.padStart(width)).join('')}`
  console.log(line('The structure of the project', heads))
  for (const [row, [name]] of figures.entries())
    console.log(
      line(
        name,
        columns.map((cells) => cells[row] ?? ''),
      ),
    )
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await main(process.argv.slice(2))
}
