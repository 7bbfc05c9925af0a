// npm run test:clients [-- words]: the libraries that apps use, each on a page with Latchkey's one line, in Chromium.
// It installs several hundred packages of other people, which nothing else here needs, so `npm test` leaves it out.

import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBrowsers, missingPackages, root, say, setUp } from './setup.mjs'

await setUp()
const { build } = await import('./build.mjs')
const { run } = await import('./run.ts')

const folder = join(root, 'e2e', 'clients')
const report = join(root, '.cache', 'test', 'clients.json')

const end = (passed, failed) => {
  say(`${passed} passed, ${failed} failed`)
  process.exit(failed === 0 ? 0 : 1)
}
const orEnd = ({ ok, output }) => {
  if (ok) return
  say(output)
  end(0, 1)
}

if (missingPackages(folder).length > 0) {
  say('Installing the libraries')
  orEnd(await run('npm', ['ci', '--silent'], { cwd: folder }))
}
say('Building their pages')
const config = join(folder, 'vite.config.ts')
const pages = readdirSync(join(folder, 'pages')).filter((file) => !/^(wagmi-)?client\./.test(file))
for (const page of pages) {
  const name = page.replace(/\.tsx?$/, '')
  orEnd(await run('vite', ['build', '--logLevel', 'error', '--config', config, '--mode', name]))
}
const { results } = await build({ staleOnly: true })
if (results.some(({ ok }) => !ok)) end(0, 1)

mkdirSync(join(root, '.cache', 'test'), { recursive: true })
rmSync(report, { force: true })
const browsers = await ensureBrowsers()
const args = [
  'test',
  '-c',
  join(folder, 'playwright.config.ts'),
  '--reporter=list,json',
  ...process.argv.slice(2),
]
await run('playwright', args, {
  show: true,
  env: { ...browsers, NODE_OPTIONS: '--conditions=latchkey-source', PLAYWRIGHT_JSON_OUTPUT_FILE: report },
})
try {
  const { expected, flaky, unexpected } = JSON.parse(readFileSync(report, 'utf8')).stats
  end(expected + flaky, unexpected)
} catch {
  end(0, 1)
}
