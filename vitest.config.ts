import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import { texts } from './protocol/texts/texts.config.ts'

const tests = (folders: string) => `${folders}/**/*.test.{ts,tsx}`
/** A page has one registry of its handles; what is replaced has to be loaded anew; what lasts comes before the rest. */
const byThemselves = [
  tests('loader'),
  'wallet-frame/vault/wrong-shares.test.ts',
  'wallet-frame/shares/{killed-reshare,killed-tab,share-model}.test.ts',
  'server/start/{killed,main}.test.ts',
  'server/kernel/keys/killed.test.ts',
]
const exclude = ['**/node_modules/**', '**/dist/**', '**/*.browser.test.ts']

// Unit and store tests run in Node on the sources; what needs a browser lives in e2e/ and runs under Playwright.
export default defineConfig({
  resolve: { conditions: ['latchkey-source'] },
  ssr: { resolve: { conditions: ['latchkey-source', 'node', 'default'] } },
  test: {
    // A deadline for what hangs: how fast something is decides no test.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    // One for each core of a machine with two: the default leaves a core to whoever types.
    maxWorkers: 2,
    // What a test puts into the place of a global is gone with the test.
    unstubGlobals: true,
    projects: [
      {
        extends: true,
        test: { name: 'by itself', include: byThemselves, exclude },
        plugins: [texts('inlined')],
      },
      // Many small files, which took longer to load what they test than to test it: they share what is loaded.
      shared('dialog', 'dialog-app', {
        setupFiles: ['dialog-app/testing/all-loaded.ts'],
        plugins: [texts('loaded')],
      }),
      shared('others', '{protocol,wallet-frame,server,sandbox,demo,scripts,sdk/*}', {
        exclude: [...exclude, ...byThemselves],
        plugins: [texts('inlined')],
      }),
    ],
  },
})

type ProjectOptions = { exclude?: string[]; setupFiles?: string[]; plugins?: Plugin[] }

function shared(name: string, folders: string, { plugins = [], ...options }: ProjectOptions = {}) {
  return {
    extends: true as const,
    plugins,
    test: { name, include: [tests(folders)], exclude, isolate: false, ...options },
  }
}
