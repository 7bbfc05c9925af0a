import { defineConfig } from 'vitest/config'
import { texts } from '../protocol/texts/texts.config.ts'

// Tests that need Prometheus. `npm test` finds or downloads it and passes its path.
export default defineConfig({
  resolve: { conditions: ['latchkey-source'] },
  ssr: { resolve: { conditions: ['latchkey-source', 'node', 'default'] } },
  plugins: [texts('inlined')],
  test: {
    root: import.meta.dirname,
    include: ['*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
  },
})
