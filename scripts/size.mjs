// npm run size: what each entry weighs, from a built tree, against its line in budgets.json.

import * as fs from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root, say, setUp } from './setup.mjs'
import { sizesOf } from './weigh.mjs'

const readJson = (path) => JSON.parse(fs.readFileSync(join(root, path), 'utf8'))

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

/**
 * The scripts that a built page asks for at once, whatever the app has on: a preload costs the same whether or not a
 * manifest says so.
 */
export const scriptsOfPage = (html) =>
  [...html.replace(/<!--if .*?<!--end-->/gs, '').matchAll(/<(script|link)\b[^>]*>/g)]
    .filter(([tag, name]) => name === 'script' || /rel="modulepreload"/.test(tag))
    .map(([tag]) => /\b(?:src|href)="([^"]+)"/.exec(tag)?.[1])
    .filter((address) => address !== undefined)
    .map((address) => address.replace(/^\//, ''))

/** A name with a hash in it is written with a star, and means one file. */
const oneFile = (pattern) => {
  if (!pattern.includes('*')) return pattern
  const found = fs.globSync(pattern, { cwd: root })
  if (found.length !== 1)
    throw new Error(`${pattern} ${found.length === 0 ? 'is not built' : 'means several files'}`)
  return found[0]
}

/**
 * A budget names its files, or a page, or entries of a manifest, or a capability of the dialog. What is loaded on
 * demand is an entry of its own: a budget that counts it lists it.
 */
const filesOf = ({ files, page, manifest, entries, capability }) => {
  const within = (folder) => (file) => join(folder, file)
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
const weigh = (files) =>
  files
    .map((file) => sizesOf(fs.readFileSync(join(root, file))))
    .reduce((sum, one) => ({
      raw: sum.raw + one.raw,
      gzip: sum.gzip + one.gzip,
      brotli: sum.brotli + one.brotli,
    }))

/** A difference is measured by a script of its own, which prints it last. */
const weighDifference = async (script) => {
  const { run } = await import('./run.mjs')
  const { ok, output } = await run(process.execPath, ['--conditions=latchkey-source', script])
  if (!ok) throw new Error(/^\w*Error: (.*)$/m.exec(output)?.[1] ?? `${script} failed`)
  return JSON.parse(output.split('\n').at(-1))
}

const measure = async (budget) => {
  try {
    const weight = budget.difference ? await weighDifference(budget.difference) : weigh(filesOf(budget))
    return { ...budget, weight, ok: weight[budget.measure] <= budget.budgetBytes }
  } catch (error) {
    const reason =
      error.code === 'ENOENT' ? `${error.path.slice(root.length + 1)} is not built` : error.message
    return { ...budget, ok: false, reason }
  }
}

const amount = (bytes) => (Math.abs(bytes) < 1000 ? `${bytes} B` : `${(bytes / 1000).toFixed(1)} kB`)

const manifestOfDialog = 'dialog-app/dist/.vite/manifest.json'
const pageOfDialog = 'dialog-app/dist/open.html'

/**
 * What a capability of the dialog loads when it is first used: its own script, and whatever that imports that no page
 * has before. What it loads still later, such as another language, is not in it.
 */
export const capabilityScripts = (manifest, present, name) => {
  const own = Object.keys(manifest).filter((key) => key.startsWith(`_${name}-`) && key.endsWith('.js'))
  const all = scriptsOf(manifest, own).filter((file) => !present.includes(file))
  return { own: own.map((key) => manifest[key].file), all }
}

const presentInDialog = () => scriptsOfPage(fs.readFileSync(join(root, pageOfDialog), 'utf8'))
const scriptsOfCapability = (name) => capabilityScripts(readJson(manifestOfDialog), presentInDialog(), name)

const measureCapabilities = () => {
  const present = presentInDialog()
  const weighIn = (files) =>
    files.length === 0
      ? { raw: 0, gzip: 0, brotli: 0 }
      : weigh(files.map((file) => join('dialog-app/dist', file)))
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

const printCapabilities = (capabilities) => {
  say('')
  say(
    '  What a capability of the dialog loads when it is first used, gzip: its own, and with what that needs',
  )
  for (const { name, own, all, isThere } of capabilities) {
    const weight = isThere
      ? 'there already'
      : `${amount(own.gzip).padStart(8)}  ${amount(all.gzip).padStart(8)}`
    say(`    ${name.padEnd(16)}${weight}`)
  }
}

const printTable = (rows) => {
  const cells = [
    ['entry', 'raw', 'gzip', 'brotli', 'budget', ''],
    ...rows.map(({ name, weight, measure, budgetBytes, aimBytes, ok, reason }) => [
      name,
      ...(weight ? [weight.raw, weight.gzip, weight.brotli].map(amount) : ['', '', '']),
      `${amount(budgetBytes)} ${measure}${aimBytes ? `, aim ${amount(aimBytes)}` : ''}`,
      ok ? 'ok' : (reason ?? `OVER by ${amount(weight[measure] - budgetBytes)}`),
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

export const size = async () => {
  const rows = await Promise.all(readJson('scripts/budgets.json').map(measure))
  printTable(rows)
  if (fs.existsSync(join(root, manifestOfDialog))) printCapabilities(measureCapabilities())
  const failed = rows.filter(({ ok }) => !ok).length
  return { passed: rows.length - failed, failed }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await setUp()
  process.exit((await size()).failed === 0 ? 0 : 1)
}
