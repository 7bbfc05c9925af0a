// npm run size: what each entry weighs, from a built tree, against its line in budgets.json.

import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { root, say, setUp } from './setup.mjs'

const readJson = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'))

/** The scripts that an entry of a Vite manifest loads before it runs: itself and its static imports. */
export const scriptsOf = (manifest, entries) => {
  const files = new Set()
  const visit = (key) => {
    const chunk = manifest[key]
    if (chunk === undefined) throw new Error(`the manifest has no ${key}`)
    if (files.has(chunk.file)) return
    files.add(chunk.file)
    for (const imported of chunk.imports ?? []) visit(imported)
  }
  for (const entry of entries) visit(entry)
  return [...files].filter((file) => file.endsWith('.js'))
}

/** What dist/index.html asks the browser for besides: a preload costs the same whether or not a manifest says so. */
const preloadedBy = (html) =>
  [...html.matchAll(/<link[^>]*rel="modulepreload"[^>]*href="\/?([^"]+)"/g)].map(([, file]) => file)

const filesOf = ({ files, manifest, entries }) => {
  if (files !== undefined) return files
  const folder = dirname(dirname(manifest))
  const page = join(folder, 'index.html')
  const preloaded = existsSync(join(root, page)) ? preloadedBy(readFileSync(join(root, page), 'utf8')) : []
  const all = new Set([...scriptsOf(readJson(manifest), entries), ...preloaded])
  return [...all].map((file) => join(folder, file))
}

/** Each file is compressed by itself, as it goes over the wire. */
const weigh = (files) =>
  files
    .map((file) => readFileSync(join(root, file)))
    .map((content) => ({
      raw: content.byteLength,
      gzip: gzipSync(content, { level: 9 }).byteLength,
      brotli: brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).byteLength,
    }))
    .reduce((sum, one) => ({
      raw: sum.raw + one.raw,
      gzip: sum.gzip + one.gzip,
      brotli: sum.brotli + one.brotli,
    }))

const measure = (budget) => {
  try {
    const weight = weigh(filesOf(budget))
    return { ...budget, weight, ok: weight[budget.measure] <= budget.budgetBytes }
  } catch (error) {
    const reason =
      error.code === 'ENOENT' ? `${error.path.slice(root.length + 1)} is not built` : error.message
    return { ...budget, ok: false, reason }
  }
}

const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} kB`

const printTable = (rows) => {
  const cells = [
    ['entry', 'raw', 'gzip', 'brotli', 'budget', ''],
    ...rows.map(({ name, weight, measure, budgetBytes, ok, reason }) => [
      name,
      ...(weight ? [weight.raw, weight.gzip, weight.brotli].map(kilobytes) : ['', '', '']),
      `${kilobytes(budgetBytes)} ${measure}`,
      ok ? 'ok' : (reason ?? `OVER by ${kilobytes(weight[measure] - budgetBytes)}`),
    ]),
  ]
  const widths = cells[0].map((_, column) => Math.max(...cells.map((row) => row[column].length)))
  for (const row of cells) {
    const padded = row.map((cell, column) =>
      column === 0 || column === 5 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]),
    )
    say(`  ${padded.join('  ').trimEnd()}`)
  }
}

export const size = () => {
  const rows = readJson('scripts/budgets.json').map(measure)
  printTable(rows)
  const failed = rows.filter(({ ok }) => !ok).length
  return { passed: rows.length - failed, failed }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await setUp()
  process.exit(size().failed === 0 ? 0 : 1)
}
