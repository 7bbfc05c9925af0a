// Holds the sources to import-rules.mjs. dependency-cruiser reads them with swc, since TypeScript 7 has no parser to
// lend; a source that swc or dependency-cruiser does not understand is an error of the check, not a pass.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { cruise } from 'dependency-cruiser'
import {
  folderRules,
  importRules,
  isOnNoFloor,
  knownCircles,
  packageFolders,
  testFiles,
  vaultWorkers,
} from './import-rules.mjs'

const options = {
  parser: 'swc',
  validate: true,
  // Imports of types count: they are read from the source, not from what is left of it when it runs.
  tsPreCompilationDeps: true,
  doNotFollow: { path: 'node_modules' },
  enhancedResolveOptions: {
    exportsFields: ['exports'],
    conditionNames: ['latchkey-source', 'import', 'node', 'default'],
    extensions: ['.ts', '.tsx', '.mts', '.d.ts', '.mjs', '.js', '.json'],
  },
}

/** What dependency-cruiser does not see in a source is refused there, for it could import anything. */
const unseenForms = [
  {
    form: /\btypeof import\(|\bimport\(\s*(['"])[^'"]+\1\s*\)\s*\.\s*[A-Z]/,
    rule: 'a type is named by an import declaration',
  },
  {
    form: /new URL\(\s*(['"`])[^'"`]+\.[mc]?[jt]sx?\1\s*,\s*import\.meta\.url/,
    rule: 'a script of ours is named by an import, a worker with ?worker&url',
    // The browser tests start programs of ours by their address.
    allowedIn: 'e2e/',
  },
]

const unseen = (root, path) => {
  const source = readFileSync(join(root, path), 'utf8')
  return unseenForms
    .filter(({ form, allowedIn }) => form.test(source) && !path.startsWith(allowedIn))
    .map(({ form, rule }) => ({ from: path, to: form.exec(source)[0], rule }))
}

/** The resolved path has no query, so the rules cannot tell the vault's address from an import of its code. */
const vaultAsCode = ({ source, dependencies }) =>
  dependencies
    .filter(({ resolved, module }) => vaultWorkers.includes(resolved) && !module.endsWith('?worker&url'))
    .map(({ module }) => ({
      from: source,
      to: module,
      rule: 'the vault is named by its address, ?worker&url',
    }))

const isOurs = new RegExp(`^(?:${packageFolders.join('|')})/.*[.][mc]?[jt]sx?$`)

const declaredIn = (root, folder) => {
  const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
  return ['dependencies', 'devDependencies', 'peerDependencies'].flatMap((list) =>
    Object.keys(manifest[list] ?? {}),
  )
}

/** What has a package.json of its own, which no workspace knows. */
const ownPackages = ['^e2e/clients/(?:pages/|vite[.]config)', '^e2e/clients/(?:node_modules|dist)/']

const run = async (root, rules, leftOut) => {
  const { output } = await cruise([...packageFolders, 'scripts'], {
    ...options,
    baseDir: root,
    exclude: { path: [`^(?:${packageFolders.join('|')})/dist/`, ...ownPackages, ...leftOut] },
    ruleSet: { forbidden: rules.map((rule) => ({ severity: 'error', ...rule })) },
  })
  return output
}

const circleOf = ({ cycle }) => [...new Set(cycle.map(({ name }) => name))].sort()

/** What the list of known circles does not hold, and what it holds that is no circle any more. */
const judgeCircles = (circles, known) => {
  const text = (members) => members.join(' ⇄ ')
  const found = new Set(circles.map(circleOf).map(text))
  const listed = new Set(known.map((members) => text([...members].sort())))
  return [
    ...circles
      .filter((circle) => !listed.has(text(circleOf(circle))))
      .map(({ from, cycle, rule }) => ({
        from,
        to: cycle.map(({ name }) => name).join(' → '),
        rule: rule.name,
      })),
    ...[...listed.difference(found)].map((circle) => ({
      from: 'scripts/import-rules.mjs',
      to: circle,
      rule: 'a circle that is no more leaves the list of known ones',
    })),
  ]
}

/** Every import below `root` that breaks a rule: which file, what it names, what the rule wants. */
export const findViolations = async (root, known = knownCircles) => {
  const declared = ['.', ...packageFolders].flatMap((folder) => declaredIn(root, folder))
  const files = await run(root, importRules(declared), [])
  const folders = await run(root, folderRules, [testFiles])
  const found = [...files.summary.violations, ...folders.summary.violations]
  const ofPackages = files.modules.filter(({ source }) => isOurs.test(source))
  return [
    ...found
      .filter(({ cycle }) => cycle === undefined)
      .map(({ from, to, rule }) => ({ from, to, rule: rule.name })),
    ...judgeCircles(
      found.filter(({ cycle }) => cycle !== undefined),
      known,
    ),
    ...ofPackages
      .filter(({ source }) => isOnNoFloor(source))
      .map(({ source }) => ({
        from: source,
        to: '',
        rule: 'a source lies on a floor of its package',
      })),
    ...ofPackages.flatMap(vaultAsCode),
    ...ofPackages.flatMap(({ source }) => unseen(root, source)),
  ]
}
