/** Builds and serves the page of the shell once for all browser test files. */
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { type ShellSite, startShellSite } from './browser.ts'

declare module 'vitest' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only interfaces augment a module.
  interface ProvidedContext {
    shellSite: ShellSite
  }
}

export default async function serveShellSite({ provide }: TestProject) {
  const { site, stop } = await startShellSite(join(import.meta.dirname, 'vite.config.ts'))
  provide('shellSite', site)
  return stop
}
