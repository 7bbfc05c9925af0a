// Static checks of the repository. They run none of its code.

import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { writeTypes } from '../../protocol/texts/write-types.ts'
import { type Manifest, packages, project } from '../builds/packages.ts'
import { brokenLinks, filesBelow } from '../docs/broken-links.ts'
import { run, seconds } from '../processes/run.ts'
import { root, say } from '../setup.mjs'
import { commitProblems } from './commits.ts'
import { missingFromLock } from './complete-lock.ts'
import { unexplained } from './explained.ts'
import { readText, repositoryFiles } from './files.ts'
import { refusedImports } from './import-forms.ts'
import { slowExpressions } from './regular-expressions.ts'
import { tracesIn } from './traces.ts'
import { isWorded, readBounds, wordingIn, wordingProblems } from './wording.ts'

type Check = { name: string; find: () => Promise<readonly string[]> }

/** Returns the manifests of the root and of each package. */
const manifests = () => [{ folder: '.', manifest: project() }, ...packages()]

const explainedDependencies = async () =>
  manifests().flatMap(({ folder, manifest }) => {
    const path = folder === '.' ? 'CONTRIBUTING.md' : join(folder, 'README.md')
    return unexplained(manifest, readFileSync(join(root, path), 'utf8')).map(
      (name) => `${path}: give a reason for the dependency \`${name}\``,
    )
  })

/** Returns manifests with their own lock file, which are not workspaces. */
const manifestsApart = () =>
  globSync('{examples/*,e2e/clients,e2e/bench/peers,site}/package.json', { cwd: root }).map((path) => ({
    folder: dirname(path),
    manifest: JSON.parse(readFileSync(join(root, path), 'utf8')) as Manifest,
  }))

/** Requires exact versions: no ranges, tags or URLs except local folders, so that installs are reproducible. */
const exactVersions = async () =>
  [...manifests(), ...manifestsApart()].flatMap(({ folder, manifest }) =>
    (['dependencies', 'devDependencies', 'optionalDependencies'] as const).flatMap((list) =>
      Object.entries(manifest[list] ?? {})
        .filter(
          ([, version]) => !/^((npm:[@\w./-]+@)?\d+\.\d+\.\d+(-[\w.]+)?|file:(\.\.\/)+[\w/]+)$/.test(version),
        )
        .map(
          ([name, version]) =>
            `${join(folder, 'package.json')}: ${name} is "${version}". Use an exact version`,
        ),
    ),
  )

type Locked = Parameters<typeof missingFromLock>[0]
const locked = (): Locked => JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
const lockEntries = () => Object.entries(locked())

/** Refuses `elliptic`, which has repeated vulnerabilities and is not needed. */
const refusedPackages = async () =>
  lockEntries()
    .filter(([path]) => path.split('node_modules/').at(-1) === 'elliptic')
    .map(([path]) => `package-lock.json: ${path} must not be installed`)

/** Requires a lock file without hosts, so that each machine uses its own registry. Local links are allowed. */
const lockWithoutHosts = async () =>
  lockEntries()
    .filter(([, { resolved }]) => /^[a-z+]+:\/\//i.test(resolved ?? ''))
    .map(([path]) => `package-lock.json: ${path} names the host that it came from. Remove the host`)

const completeLock = async () =>
  missingFromLock(locked()).map(
    ({ name }) => `package-lock.json: ${name} is missing. Run node scripts/checks/complete-lock.ts`,
  )

/** Excludes the lock file, which has its own check. */
const withoutTraces = async () =>
  (await repositoryFiles())
    .filter((path) => !/^package-lock\.json$|\.(png|woff2)$/.test(path))
    .flatMap((path) =>
      tracesIn(readText(path)).map(({ line, what, found }) => `${path}:${line}: ${what}: ${found}`),
    )

const links = async () =>
  brokenLinks(
    (await repositoryFiles()).filter((path) => path.endsWith('.md') && !path.startsWith('.changeset/')),
    filesBelow(root),
  )

const linearExpressions = async () => slowExpressions(await repositoryFiles(), readText)

const wording = async () =>
  wordingProblems(
    (await repositoryFiles()).filter(isWorded).flatMap((path) => wordingIn(path, readText(path))),
    readBounds(),
  )

/** Commits before this date have older subjects. */
const conventionalSince = '2026-11-29T07:30:00Z'

async function commitSubjects() {
  const { ok, output } = await run('git', [
    'log',
    '--no-merges',
    `--since=${conventionalSince}`,
    '--format=%h %s',
  ])
  if (!ok) throw new Error(output)
  return commitProblems(output.split('\n').filter((line) => line !== ''))
}

const program = async (command: string, args: string[]) => {
  const { ok, output } = await run(command, args)
  return ok ? [] : [output]
}

/** dependency-cruiser reads each source once per configuration. */
const imports = async () => {
  const folders = [...packages().map(({ folder }) => folder), 'scripts']
  const outputs = await Promise.all(
    ['.dependency-cruiser.mjs', 'scripts/checks/folder-circles.mjs'].map((config) =>
      program('depcruise', ['--config', config, '--output-type', 'err-long', ...folders]),
    ),
  )
  return outputs.flat()
}

const importForms = async () =>
  (await repositoryFiles())
    .filter((path) => isPackageSource.test(path))
    .flatMap((path) => refusedImports(path, readText(path)))
const isPackageSource = new RegExp(
  `^(?:${packages()
    .map(({ folder }) => folder)
    .join('|')})/.*[.][mc]?[jt]sx?$`,
)

/** Checks the types of the dialog's texts. */
const texts = async () => writeTypes()

const checks: readonly Check[] = [
  { name: 'formatting and lint', find: () => program('biome', ['check', '--error-on-warnings', '.']) },
  { name: 'import rules', find: imports },
  { name: 'import forms', find: importForms },
  { name: 'dead code', find: () => program('knip', ['--no-progress', '--no-config-hints']) },
  { name: 'reasons for dependencies', find: explainedDependencies },
  { name: 'exact versions', find: exactVersions },
  { name: 'refused packages', find: refusedPackages },
  { name: 'lock file without hosts', find: lockWithoutHosts },
  { name: 'lock file complete', find: completeLock },
  { name: 'no trace of a machine', find: withoutTraces },
  { name: 'links between documents', find: links },
  { name: 'regular expressions in linear time', find: linearExpressions },
  { name: 'wording', find: wording },
  { name: 'commit subjects', find: commitSubjects },
  { name: 'texts in every language', find: texts },
  { name: 'types', find: () => program('tsc', ['-p', '.', '--pretty', 'false']) },
]

/** Runs every check, even after failures. */
export const check = async () => {
  let failed = 0
  for (const { name, find } of checks) {
    const started = performance.now()
    const problems = await find().catch((error: Error) => [error.message])
    if (problems.length > 0) failed += 1
    say(`  ${problems.length === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds(performance.now() - started)})`)
    for (const problem of problems) say(problem.replace(/^/gm, '    '))
  }
  return { passed: checks.length - failed, failed }
}
