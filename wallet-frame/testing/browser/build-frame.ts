/** Builds the wallet frame as `npm run build` does: in a process of its own, without the test runner's settings. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openWindowPage, walletPages } from '@latchkey/protocol/wallet'

const root = join(import.meta.dirname, '../..')

export async function buildFrame(outDir: string): Promise<void> {
  const { NODE_ENV: _ofTheTestRunner, ...env } = process.env
  const vite = join(import.meta.dirname, '../../../node_modules/vite/bin/vite.js')
  const build = (...options: readonly string[]) =>
    promisify(execFile)(process.execPath, [vite, 'build', '--outDir', outDir, ...options], { cwd: root, env })
  await build('--emptyOutDir')
  for (const page of [...walletPages, openWindowPage, 'export', 'confirm', 'cross-app'])
    await build('-c', 'vite.pages.config.ts', '--mode', page)
}
