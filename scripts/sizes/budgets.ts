// What each entry weighs, from a built tree, against its line in budgets.json.

import * as fs from 'node:fs'
import { dirname, join } from 'node:path'
import { run } from '../processes/run.ts'
import { root, say } from '../setup.mjs'
import { type Sizes, sizesOf } from './weigh.ts'

type Chunk = {
  readonly file: string
  readonly imports?: readonly string[]
  readonly dynamicImports?: readonly string[]
}
type Manifest = Readonly<Record<string, Chunk>>

type Budget = {
  readonly name: string
  readonly measure: keyof Sizes
  readonly budgetBytes: number
  readonly aimBytes?: number
  readonly files?: readonly string[]
  readonly page?: string
  readonly manifest?: string
  readonly entries?: readonly string[]
  readonly capability?: string
  readonly difference?: string
}
type Row = Budget &
  ({ readonly weight: Sizes; readonly ok: boolean } | { readonly ok: false; readonly reason: string })

const readJson = (path: string) => JSON.parse(fs.readFileSync(join(root, path), 'utf8'))

/** The scripts that an entry of a Vite manifest loads before it runs: itself and its static imports. */
export const scriptsOf = (manifest: Manifest, entries: readonly string[]): readonly string[] => {
  const files = new Set<string>()
  const visit = (key: string) => {
    const chunk = manifest[key]
    if (chunk === undefined) throw new Error(`the manifest has no ${key}`)
    if (files.has(chunk.file)) return
    files.add(chunk.file)
    for (const imported of chunk.imports ?? []) visit(imported)
  }
  for (const entry of entries) visit(entry)
  return [...files].filter((file) => file.endsWith('.js'))
}

/**
 * The scripts that a built page asks for at once, whatever the app has on: a preload costs the same whether or not a
 * manifest says so.
 */
export const scriptsOfPage = (html: string): readonly string[] =>
  [...html.replace(/<!--if .*?<!--end-->/gs, '').matchAll(/<(script|link)\b[^>]*>/g)]
    .filter(([tag, name]) => name === 'script' || /rel="modulepreload"/.test(tag))
    .map(([tag]) => /\b(?:src|href)="([^"]+)"/.exec(tag)?.[1])
    .filter((address) => address !== undefined)
    .map((address) => address.replace(/^\//, ''))

/** A name with a hash in it is written with a star, and means one file. */
const oneFile = (pattern: string): string => {
  if (!pattern.includes('*')) return pattern
  const [file, ...others] = fs.globSync(pattern, { cwd: root })
  if (file === undefined) throw new Error(`${pattern} is not built`)
  if (others.length > 0) throw new Error(`${pattern} means several files`)
  return file
}

/**
 * A budget names its files, or a page, or entries of a manifest, or a capability of the dialog. What is loaded on
 * demand is an entry of its own: a budget that counts it lists it.
 */
const filesOf = ({ files, page, manifest, entries = [], capability }: Budget): readonly string[] => {
  const within = (folder: string) => (file: string) => join(folder, file)
  return [
    ...new Set([
      ...(files ?? []).map(oneFile),
      ...(page ? scriptsOfPage(fs.readFileSync(join(root, page), 'utf8')).map(within(dirname(page))) : []),
      ...(manifest ? scriptsOf(readJson(manifest), entries).map(within(dirname(dirname(manifest)))) : []),
      ...(capability ? scriptsOfCapability(capability).all.map(within('dialog-app/dist')) : []),
    ]),
  ]
}

/** Each file is compressed by itself, as it goes over the wire. */
const weigh = (files: readonly string[]): Sizes =>
  files
    .map((file) => sizesOf(fs.readFileSync(join(root, file))))
    .reduce(
      (sum, one) => ({
        raw: sum.raw + one.raw,
        gzip: sum.gzip + one.gzip,
        brotli: sum.brotli + one.brotli,
      }),
      { raw: 0, gzip: 0, brotli: 0 },
    )

/** A difference is measured by a script of its own, which prints it last. */
const weighDifference = async (script: string): Promise<Sizes> => {
  const { ok, output } = await run(process.execPath, ['--conditions=latchkey-source', script])
  if (!ok) throw new Error(/^\w*Error: (.*)$/m.exec(output)?.[1] ?? `${script} failed`)
  return JSON.parse(output.split('\n').at(-1) ?? '')
}

const measure = async (budget: Budget): Promise<Row> => {
  try {
    const weight = budget.difference ? await weighDifference(budget.difference) : weigh(filesOf(budget))
    return { ...budget, weight, ok: weight[budget.measure] <= budget.budgetBytes }
  } catch (error) {
    const { code, path = '', message } = error as NodeJS.ErrnoException
    const reason = code === 'ENOENT' ? `${path.slice(root.length + 1)} is not built` : message
    return { ...budget, ok: false, reason }
  }
}

const amount = (bytes: number) => (Math.abs(bytes) < 1000 ? `${bytes} B` : `${(bytes / 1000).toFixed(1)} kB`)

const manifestOfDialog = 'dialog-app/dist/.vite/manifest.json'
const pageOfDialog = 'dialog-app/dist/open.html'

/**
 * What a capability of the dialog loads when it is first used: its own script, and whatever that imports that no page
 * has before. What it loads still later, such as another language, is not in it.
 */
export const capabilityScripts = (manifest: Manifest, present: readonly string[], name: string) => {
  const own = Object.entries(manifest).filter(([key]) => key.startsWith(`_${name}-`) && key.endsWith('.js'))
  const keys = own.map(([key]) => key)
  const all = scriptsOf(manifest, keys).filter((file) => !present.includes(file))
  return { own: own.map(([, { file }]) => file), all }
}

const presentInDialog = () => scriptsOfPage(fs.readFileSync(join(root, pageOfDialog), 'utf8'))
const scriptsOfCapability = (name: string) =>
  capabilityScripts(readJson(manifestOfDialog), presentInDialog(), name)

const measureCapabilities = () => {
  const present = presentInDialog()
  const weighIn = (files: readonly string[]) => weigh(files.map((file) => join('dialog-app/dist', file)))
  return fs
    .readdirSync(join(root, 'dialog-app/capabilities'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'lazy')
    .map(({ name }) => ({ name, ...scriptsOfCapability(name) }))
    .map(({ name, own, all }) => ({
      name,
      own: weighIn(own.filter((file) => all.includes(file))),
      all: weighIn(all),
      isThere: own.length === 0 || own.every((file) => present.includes(file)),
    }))
}

const printCapabilities = (capabilities: ReturnType<typeof measureCapabilities>) => {
  say('')
  say(
    '  What each capability of the dialog loads at its first use (gzip): its own script, and with everything it needs',
  )
  for (const { name, own, all, isThere } of capabilities) {
    const weight = isThere
      ? 'loaded with the page'
      : `${amount(own.gzip).padStart(8)}  ${amount(all.gzip).padStart(8)}`
    say(`    ${name.padEnd(16)}${weight}`)
  }
}

/** A budget with a reason may be exceeded too; a row without a weight names its problem as the reason. */
const excess = (row: Row): string =>
  'weight' in row ? `OVER by ${amount(row.weight[row.measure] - row.budgetBytes)}` : (row.reason ?? '')

const printTable = (rows: readonly Row[]) => {
  const cells = [
    ['entry', 'raw', 'gzip', 'brotli', 'budget', ''],
    ...rows.map((row) => {
      const { name, measure, budgetBytes, aimBytes } = row
      const weight = 'weight' in row ? row.weight : undefined
      return [
        name,
        ...(weight ? [weight.raw, weight.gzip, weight.brotli].map(amount) : ['', '', '']),
        `${amount(budgetBytes)} ${measure}${aimBytes ? `, aim ${amount(aimBytes)}` : ''}`,
        row.ok ? String('reason' in row ? row.reason : 'ok') : excess(row),
      ]
    }),
  ]
  const widthOf = (column: number) => Math.max(...cells.map((row) => row[column]?.length ?? 0))
  for (const row of cells) {
    const padded = row.map((cell, column) =>
      column === 0 || column === 5 ? cell.padEnd(widthOf(column)) : cell.padStart(widthOf(column)),
    )
    say(`  ${padded.join('  ').trimEnd()}`)
  }
}

export const size = async (): Promise<{ readonly passed: number; readonly failed: number }> => {
  const rows = await Promise.all(readJson('scripts/sizes/budgets.json').map(measure))
  printTable(rows)
  if (fs.existsSync(join(root, manifestOfDialog))) printCapabilities(measureCapabilities())
  const failed = rows.filter(({ ok }) => !ok).length
  return { passed: rows.length - failed, failed }
}
