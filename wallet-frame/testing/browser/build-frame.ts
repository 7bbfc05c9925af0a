/** Builds the wallet frame for tests. As a global setup it runs once for all browser test files. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openWindowPage, walletPages } from '@latchkey/protocol/wallet'

/** The tests use a separate build, because the served one is compressed too. */
export const frameDist = join(import.meta.dirname, '../../../.cache/wallet-frame-test')
const root = join(import.meta.dirname, '../..')

/** Builds as `npm run build` does: in a separate process, without the test runner's NODE_ENV. */
export async function buildFrame(outDir: string): Promise<void> {
  const { NODE_ENV: _ofTheTestRunner, ...env } = process.env
  const vite = join(import.meta.dirname, '../../../node_modules/vite/bin/vite.js')
  const build = (...options: readonly string[]) =>
    promisify(execFile)(process.execPath, [vite, 'build', '--outDir', outDir, ...options], { cwd: root, env })
  await build('--emptyOutDir')
  for (const page of [...walletPages, openWindowPage, 'export', 'confirm', 'cross-app'])
    await build('-c', 'vite.pages.config.ts', '--mode', page)
}

export default () => buildFrame(frameDist)
