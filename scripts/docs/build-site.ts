import { join } from 'node:path'
import { installApart } from '../processes/install-apart.ts'
import { run } from '../processes/run.ts'
import { endWithWords, root, say } from '../setup.mjs'

const folder = join(root, 'site')

const orEnd = ({ ok, output }: { ok: boolean; output: string }) => {
  if (!ok) endWithWords(output)
}

/** Builds the documentation site to site/dist. Installs its packages if they are missing. */
export async function buildSite(): Promise<void> {
  orEnd(await installApart(folder, 'the packages of the documentation site'))
  say('Building the documentation')
  orEnd(await run('npm', ['run', 'build', '--silent'], { cwd: folder }))
}

/** Serves the built site on this machine, and returns its address. */
export async function serveSite(): Promise<{ address: string; stop: () => Promise<void> }> {
  const { preview } = await import(join(folder, 'node_modules', 'astro', 'dist', 'index.js'))
  const { port, stop } = await preview({ root: folder, logLevel: 'warn' })
  return { address: `http://127.0.0.1:${port}`, stop }
}
