// The checks that read the repository and run none of it.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root, say, setUp } from './setup.mjs'

const readJson = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'))

const imports = async () => {
  const { findViolations } = await import('./imports.mjs')
  return (await findViolations(root)).map(({ from, to, rule }) => `${from}: ${to}: ${rule}`)
}

/** The root's manifest and each package's. */
const manifests = async () => {
  const { packages } = await import('./packages.mjs')
  return [{ folder: '.', manifest: readJson('package.json') }, ...packages()]
}

const explainedDependencies = async () => {
  const { unexplained } = await import('./explained.ts')
  return (await manifests()).flatMap(({ folder, manifest }) => {
    const path = join(folder, 'README.md')
    return unexplained(manifest, readFileSync(join(root, path), 'utf8')).map(
      (name) => `${path}: give a reason for the dependency \`${name}\``,
    )
  })
}

/** No range, no tag, no address: what is installed is what was read. */
const exactVersions = async () =>
  (await manifests()).flatMap(({ folder, manifest }) =>
    ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((list) =>
      Object.entries(manifest[list] ?? {})
        .filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
        .map(
          ([name, version]) =>
            `${join(folder, 'package.json')}: ${name} is "${version}". Use an exact version`,
        ),
    ),
  )

const lockEntries = () => Object.entries(readJson('package-lock.json').packages)

/** The curve library that keeps having holes, and that nothing here needs. */
const refusedPackages = async () =>
  lockEntries()
    .filter(([path]) => path.split('node_modules/').at(-1) === 'elliptic')
    .map(([path]) => `package-lock.json: ${path} must not be installed`)

/** The lock file names no host: each machine asks the registry that it is set to. Links inside are no addresses. */
const lockWithoutHosts = async () =>
  lockEntries()
    .filter(([, { resolved }]) => /^[a-z+]+:\/\//i.test(resolved ?? ''))
    .map(([path]) => `package-lock.json: ${path} names the host that it came from. Remove the host`)

const completeLock = async () => {
  const { missingFromLock } = await import('./complete-lock.ts')
  return missingFromLock(readJson('package-lock.json').packages).map(
    ({ name }) => `package-lock.json: ${name} is missing. Run node scripts/complete-lock.ts`,
  )
}

/** What is in the repository, or would be with the next commit; the lock file has its own check. */
const withoutTraces = async () => {
  const { run } = await import('./run.ts')
  const { tracesIn } = await import('./traces.ts')
  const { ok, output } = await run('git', ['ls-files', '--cached', '--others', '--exclude-standard'])
  if (!ok) return [output]
  return output
    .split('\n')
    .filter((path) => !/^package-lock\.json$|\.(png|woff2)$/.test(path) && existsSync(join(root, path)))
    .flatMap((path) =>
      tracesIn(readFileSync(join(root, path), 'utf8')).map(
        ({ line, what, found }) => `${path}:${line}: ${what}: ${found}`,
      ),
    )
}

const program = async (command, args) => {
  const { run } = await import('./run.ts')
  const { ok, output } = await run(command, args)
  return ok ? [] : [output]
}

/** Of the dialog's texts, whose types the compiler reads. */
const texts = async () => {
  const { writeTypes } = await import('../dialog-app/build/texts/write-types.ts')
  return writeTypes()
}

const checks = [
  { name: 'formatting and lint', find: () => program('biome', ['check', '--error-on-warnings', '.']) },
  { name: 'import rules', find: imports },
  { name: 'reasons for dependencies', find: explainedDependencies },
  { name: 'exact versions', find: exactVersions },
  { name: 'refused packages', find: refusedPackages },
  { name: 'lock file without hosts', find: lockWithoutHosts },
  { name: 'lock file complete', find: completeLock },
  { name: 'no trace of a machine', find: withoutTraces },
  { name: 'texts in every language', find: texts },
  { name: 'types', find: () => program('tsc', ['-p', '.', '--pretty', 'false']) },
]

/** Runs every check, whatever the ones before it said. */
export const check = async () => {
  const { seconds } = await import('./run.ts')
  let failed = 0
  for (const { name, find } of checks) {
    const started = performance.now()
    const problems = await find().catch((error) => [error.message])
    if (problems.length > 0) failed += 1
    say(`  ${problems.length === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds(performance.now() - started)})`)
    for (const problem of problems) say(problem.replace(/^/gm, '    '))
  }
  return { passed: checks.length - failed, failed }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await setUp()
  say('Checking')
  const { passed, failed } = await check()
  say(`${passed} passed, ${failed} failed`)
  process.exit(failed === 0 ? 0 : 1)
}
