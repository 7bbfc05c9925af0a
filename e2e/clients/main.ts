// npm run test:clients [-- words]: tests common libraries on pages with the script tag, and the examples of
// examples/, in Chromium. The printed quick start runs in a clone. They install many third-party packages, so
// `npm test` leaves them out. The words are Playwright filters, such as `-- next`; unneeded packages are not
// installed.

import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { build } from '../../scripts/builds/build.ts'
import { ensureBrowsers } from '../../scripts/local/browsers.ts'
import { installApart } from '../../scripts/processes/install-apart.ts'
import { type Outcome, run } from '../../scripts/processes/run.ts'
import { root, say } from '../../scripts/setup.mjs'

const folder = import.meta.dirname
const report = join(root, '.cache', 'test', 'clients.json')
const words = process.argv.slice(2)

const end = (passed: number, failed: number) => {
  say(`${passed} passed, ${failed} failed`)
  process.exit(failed === 0 ? 0 : 1)
}
const orEnd = ({ ok, output }: Pick<Outcome, 'ok' | 'output'>) => {
  if (ok) return
  say(output)
  end(0, 1)
}

type Options = Parameters<typeof run>[2]
const playwright = (args: string[], { env, ...options }: Options = {}) => {
  mkdirSync(join(root, '.cache', 'test'), { recursive: true })
  rmSync(report, { force: true })
  return run('playwright', ['test', '-c', join(folder, 'playwright.config.ts'), ...args, ...words], {
    ...options,
    env: { ...env, NODE_OPTIONS: '--conditions=latchkey-source', PLAYWRIGHT_JSON_OUTPUT_FILE: report },
  })
}

/** Returns the test files that the words select, relative to `e2e/clients`. */
const chosenFiles = async (): Promise<string[]> => {
  orEnd(await playwright(['--list', '--reporter=json']))
  const { suites } = JSON.parse(readFileSync(report, 'utf8'))
  return suites.map(({ file }: { file: string }) => file)
}

/** Updates our packages in an example. npm copied them at install, and they may have been rebuilt since. */
const renewOurs = (example: string) => {
  const { dependencies = {} } = JSON.parse(readFileSync(join(example, 'package.json'), 'utf8'))
  for (const [name, address] of Object.entries<string>(dependencies)) {
    if (!address.startsWith('file:')) continue
    for (const part of ['package.json', 'dist']) {
      const copy = join(example, 'node_modules', name, part)
      rmSync(copy, { recursive: true, force: true })
      cpSync(join(example, address.slice('file:'.length), part), copy, { recursive: true })
    }
  }
}

const files = await chosenFiles()
const { results } = await build({ staleOnly: true })
if (results.some(({ ok }) => !ok)) end(0, 1)

/** The quick start installs packages with its own commands. */
const quickStart = 'quick-start.clients.ts'

if (files.some((file) => !file.startsWith('examples/') && file !== quickStart)) {
  orEnd(await installApart(folder, 'the libraries'))
  say('Building their pages')
  const config = join(folder, 'vite.config.ts')
  const pages = readdirSync(join(folder, 'pages')).filter((file) => !/^(\w+-)?client\./.test(file))
  for (const page of pages) {
    const name = page.replace(/\.tsx?$/, '')
    orEnd(await run('vite', ['build', '--logLevel', 'error', '--config', config, '--mode', name]))
  }
}
for (const file of files.filter((path) => path.startsWith('examples/'))) {
  const name = basename(file, '.clients.ts')
  const example = join(root, 'examples', name)
  orEnd(await installApart(example, `what examples/${name} needs`))
  renewOurs(example)
}

await playwright(['--reporter=list,json'], { show: true, env: await ensureBrowsers() })
try {
  const { expected, flaky, unexpected } = JSON.parse(readFileSync(report, 'utf8')).stats
  end(expected + flaky, unexpected)
} catch {
  end(0, 1)
}
