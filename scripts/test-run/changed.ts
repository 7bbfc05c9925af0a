/** Chooses the tests of a change for `npm run test:changed`. */
import { globSync } from 'node:fs'
import { basename } from 'node:path'
import { run } from '../processes/run.ts'
import { root } from '../setup.mjs'

/** The end-to-end tests of capabilities that have other names. */
export const specsByCapability: Readonly<Record<string, string[]>> = {
  batch: ['provider'],
  codes: ['one-use-code'],
  confirm: ['confirmations'],
  email: ['email-code'],
  ethereum: ['provider'],
  fork: ['demo'],
  landing: ['settings'],
  notices: ['account-deletion'],
  send: ['transactions'],
  sessions: ['sessions'],
  sign: ['approvals'],
  terms: ['consent'],
  verification: ['mfa'],
  wallets: ['the-path'],
  'wallet-create': ['the-path'],
}
/** Tests that start programs by path, so the module graph does not lead from a source to them. */
const startsPrograms = 'server/start/main.test.ts'
const packagesInBrowser = ['dialog-app', 'loader', 'wallet-frame']

/** Lists the files that differ from a commit, with files that git does not know yet. */
export async function changedFiles(since: string): Promise<string[]> {
  const git = async (...args: string[]) => {
    const { ok, output } = await run('git', args)
    if (!ok) throw new Error(output)
    return output.split('\n').filter((path) => path !== '')
  }
  return [
    ...(await git('diff', '--name-only', '--diff-filter=d', since)),
    ...(await git('ls-files', '--others', '--exclude-standard')),
  ]
}

export type ChangedTests = {
  /** End-to-end tests of the capabilities that changed. */
  specs: string[]
  /** Whether code of the end-to-end tests changed, so `playwright --only-changed` finds their tests. */
  hasChangedSpecs: boolean
  /** Browser test files of a package, relative to its folder. */
  packages: readonly { name: string; files: string[] }[]
  programs: string[]
}

const allSpecs = () => globSync('e2e/**/*.e2e.ts', { cwd: root, exclude: ['**/node_modules/**'] })

/** Returns the tests for changed files that `vitest --changed` does not find by itself. */
export function testsOfChange(files: string[], specs: string[] = allSpecs()): ChangedTests {
  const folders = new Set(
    files
      .filter((path) => /^(?:dialog-app|server|protocol|wallet-frame)\//.test(path))
      .flatMap((path) => path.split('/').slice(1, -1)),
  )
  const names = new Set([...folders].flatMap((folder) => specsByCapability[folder] ?? [folder]))
  const isTouched = (spec: string) => names.has(basename(spec, '.e2e.ts'))
  return {
    specs: specs.filter(isTouched).toSorted(),
    hasChangedSpecs: files.some((path) => path.startsWith('e2e/')),
    packages: packagesInBrowser
      .map((name) => ({ name, files: files.filter((path) => isBrowserTest(name, path)) }))
      .filter(({ files: own }) => own.length > 0)
      .map(({ name, files: own }) => ({ name, files: own.map((path) => path.slice(name.length + 1)) })),
    programs: files.some((path) => path.startsWith('server/start/')) ? [startsPrograms] : [],
  }
}

const isBrowserTest = (name: string, path: string) =>
  path.startsWith(`${name}/`) && path.endsWith('.browser.test.ts')
