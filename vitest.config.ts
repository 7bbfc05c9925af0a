import { existsSync, statfsSync } from 'node:fs'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import { texts } from './protocol/texts/texts.config.ts'

const tests = (folders: string) => `${folders}/**/*.test.{ts,tsx}`
/**
 * Tests that run in isolation: a page has one registry of handles, replaced modules must be loaded anew, and
 * long tests start first.
 */
const byThemselves = [
  tests('loader'),
  'wallet-frame/vault/wrong-shares.test.ts',
  'wallet-frame/shares/{killed-reshare,killed-tab,share-model}.test.ts',
  'server/start/{killed,main}.test.ts',
  'server/kernel/keys/killed.test.ts',
  'server/platform/webhooks/killed.test.ts',
]
/**
 * An in-memory file system for temporary files, if the machine has one with enough space. No test needs a commit to reach
 * a disk.
 */
const memory = '/dev/shm'
const neededBytes = 2 ** 31
function hasMemory(): boolean {
  if (!existsSync(memory)) return false
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize > neededBytes
}
/** Components render into a simulated document, with React as users have it. Its development build takes twice as long. */
const components = { environment: 'happy-dom', env: { NODE_ENV: 'production' } }
const exclude = ['**/node_modules/**', '**/dist/**', '**/*.browser.test.ts']

// Unit and store tests run in Node on the sources. Tests that need a browser are in e2e/ and run with
// Playwright.
export default defineConfig({
  resolve: { conditions: ['latchkey-source'] },
  ssr: { resolve: { conditions: ['latchkey-source', 'node', 'default'] } },
  test: {
    // A deadline for hanging tests. Speed decides no test.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    // Uses both cores of a two-core machine. The default would leave a core unused.
    maxWorkers: 2,
    env: hasMemory() ? { TMPDIR: memory } : {},
    // Replaced globals are restored after each test.
    unstubGlobals: true,
    projects: [
      {
        extends: true,
        test: { name: 'by itself', include: byThemselves, exclude },
        plugins: [texts('wallet-frame')],
      },
      // These are many small files that share loaded modules, because loading took longer than testing.
      shared('dialog', ['dialog-app/**/*.test.ts'], {
        setupFiles: ['dialog-app/testing/all-loaded.ts'],
        plugins: [texts('dialog-app')],
      }),
      shared('dialog components', ['dialog-app/**/*.test.tsx'], {
        ...components,
        setupFiles: ['dialog-app/testing/all-loaded.ts', 'dialog-app/testing/quiet-document.ts'],
        plugins: [texts('dialog-app')],
      }),
      shared('dashboard', [tests('dashboard')], {
        ...components,
        plugins: [texts('wallet-frame')],
      }),
      shared('others', [tests('{protocol,wallet-frame,server,sandbox,demo,scripts,sdk/*}')], {
        exclude: [...exclude, ...byThemselves],
        plugins: [texts('wallet-frame')],
      }),
    ],
  },
})

type ProjectOptions = {
  environment?: string
  env?: Record<string, string>
  exclude?: string[]
  setupFiles?: string[]
  plugins?: Plugin[]
}

function shared(name: string, include: string[], { plugins = [], ...options }: ProjectOptions = {}) {
  return {
    extends: true as const,
    plugins,
    // The production build of React has no development runtime.
    oxc: { jsx: { development: false } },
    test: { name, include, exclude, isolate: false, ...options },
  }
}
