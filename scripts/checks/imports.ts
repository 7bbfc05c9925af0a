// Holds the sources to import-rules.ts. dependency-cruiser reads them with swc, since TypeScript 7 has no parser to
// lend; a source that swc or dependency-cruiser does not understand is an error of the check, not a pass.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { cruise, type ICruiseOptions, type IModule, type IViolation } from 'dependency-cruiser'
import {
  folderRules,
  importRules,
  isOnNoFloor,
  knownCircles,
  packageFolders,
  testFiles,
  vaultWorkers,
} from './import-rules.ts'

export type Violation = { readonly from: string; readonly to: string; readonly rule: string }

const options: ICruiseOptions = {
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
type UnseenForm = { readonly form: RegExp; readonly rule: string; readonly allowedIn?: string }
const unseenForms: readonly UnseenForm[] = [
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

const unseen = (root: string, path: string): readonly Violation[] => {
  const source = readFileSync(join(root, path), 'utf8')
  return unseenForms
    .filter(({ allowedIn }) => allowedIn === undefined || !path.startsWith(allowedIn))
    .flatMap(({ form, rule }) =>
      (form.exec(source) ?? []).slice(0, 1).map((to) => ({ from: path, to, rule })),
    )
}

/**
 * Workspaces see each other without a declaration, so dependency-cruiser reports nothing. An install of one workspace
 * alone contains only declared packages.
 */
const undeclaredPackages = (root: string, modules: readonly IModule[]): readonly Violation[] => {
  const declarations = new Map(packageFolders.map((folder) => [folder, new Set(declaredIn(root, folder))]))
  return modules.flatMap(({ source, dependencies }) => {
    const folder = packageFolders.find((name) => source.startsWith(`${name}/`)) ?? ''
    return dependencies.flatMap(({ module }) => {
      const name = /^@latchkey\/[^/]+/.exec(module)?.[0]
      const isDeclared =
        name === undefined || name === nameIn(root, folder) || declarations.get(folder)?.has(name)
      return isDeclared
        ? []
        : [{ from: source, to: name, rule: 'a package names ours that it imports in its package.json' }]
    })
  })
}

/** The resolved path has no query, so the rules cannot tell the vault's address from an import of its code. */
const vaultAsCode = ({ source, dependencies }: IModule): readonly Violation[] =>
  dependencies
    .filter(({ resolved, module }) => vaultWorkers.includes(resolved) && !module.endsWith('?worker&url'))
    .map(({ module }) => ({
      from: source,
      to: module,
      rule: 'the vault is named by its address, ?worker&url',
    }))

const isOurs = new RegExp(`^(?:${packageFolders.join('|')})/.*[.][mc]?[jt]sx?$`)

const declaredIn = (root: string, folder: string) => {
  const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
  return ['dependencies', 'devDependencies', 'peerDependencies'].flatMap((list) =>
    Object.keys(manifest[list] ?? {}),
  )
}

const nameIn = (root: string, folder: string): string =>
  JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')).name

/** What has a package.json of its own, which no workspace knows; and examples of apps, which import what they have. */
const ownPackages = [
  '^sdk/migrate/examples/',
  '^e2e/clients/(?:pages/|vite[.]config)',
  '^e2e/clients/(?:node_modules|dist)/',
  '^e2e/bench/peers/',
]

type Rules = typeof folderRules
const run = async (root: string, rules: Rules, leftOut: readonly string[]) => {
  const { output } = await cruise([...packageFolders, 'scripts'], {
    ...options,
    baseDir: root,
    exclude: { path: [`^(?:${packageFolders.join('|')})/(?:dist|releases)/`, ...ownPackages, ...leftOut] },
    ruleSet: { forbidden: rules.map((rule) => ({ severity: 'error' as const, ...rule })) },
  })
  if (typeof output === 'string') throw new Error('The sources are read as objects, and this is a text')
  return output
}

type Circle = IViolation & Required<Pick<IViolation, 'cycle'>>
const isCircle = (violation: IViolation): violation is Circle => violation.cycle !== undefined
const circleOf = ({ cycle }: Circle) => [...new Set(cycle.map(({ name }) => name))].sort()

/** What the list of known circles does not hold, and what it holds that is no circle any more. */
const judgeCircles = (circles: readonly Circle[], known: typeof knownCircles): readonly Violation[] => {
  const text = (members: readonly string[]) => members.join(' ⇄ ')
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
    ...[...listed]
      .filter((circle) => !found.has(circle))
      .map((circle) => ({
        from: 'scripts/checks/import-rules.ts',
        to: circle,
        rule: 'a circle that is no more leaves the list of known ones',
      })),
  ]
}

/** Every import below `root` that breaks a rule: which file, what it names, what the rule wants. */
export const findViolations = async (root: string, known = knownCircles): Promise<readonly Violation[]> => {
  const declared = ['.', ...packageFolders].flatMap((folder) => declaredIn(root, folder))
  const files = await run(root, importRules(declared), [])
  const folders = await run(root, folderRules, [testFiles])
  const found = [...files.summary.violations, ...folders.summary.violations]
  const ofPackages = files.modules.filter(({ source }) => isOurs.test(source))
  return [
    ...found
      .filter((violation) => !isCircle(violation))
      .map(({ from, to, rule }) => ({ from, to, rule: rule.name })),
    ...judgeCircles(found.filter(isCircle), known),
    ...ofPackages
      .filter(({ source }) => isOnNoFloor(source))
      .map(({ source }) => ({
        from: source,
        to: '',
        rule: 'a source lies on a floor of its package',
      })),
    ...ofPackages.flatMap(vaultAsCode),
    ...undeclaredPackages(root, ofPackages),
    ...ofPackages.flatMap(({ source }) => unseen(root, source)),
  ]
}
