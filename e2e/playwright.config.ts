import { defineConfig } from '@playwright/test'
import { fullBrowser, headlessShell } from '../scripts/local/chromium.ts'
import { browserHome } from './stack/https/certificates.ts'
import type { ProjectOptions } from './test.ts'

/** Tests that use the browser's own interface: the path, and passkey prompts. */
const inWholeBrowser = ['the-path', 'passkey'].map((name) => `**/${name}.e2e.ts`)

/** Attacks by a script in the dialog. `npm run test:all` also runs them on PostgreSQL. */
const onBothDatabases = ['hostile-dialog', 'deceiving-dialog'].map((name) => `**/${name}.e2e.ts`)

const launched = (browser: ReturnType<typeof fullBrowser>) => ({
  launchOptions: {
    ...browser,
    env: { ...process.env, HOME: browserHome },
    // Playwright disables pop-up blocking by default.
    ignoreDefaultArgs: ['--disable-popup-blocking'],
  },
})

export default defineConfig<object, ProjectOptions>({
  testDir: '.',
  testMatch: '**/*.e2e.ts',
  globalSetup: './stack/https/set-up.ts',
  outputDir: '../test-results',
  // Deadlines for hanging tests. They do not measure speed.
  timeout: 180_000,
  expect: { timeout: 45_000 },
  fullyParallel: true,
  // Measured on two cores with 2, 3, 4 and 6 workers: docs/testing.md.
  workers: 4,
  forbidOnly: Boolean(process.env.CI),
  reporter: [['list']],
  use: {
    browserName: 'chromium',
    headless: true,
    viewport: { width: 1024, height: 768 },
    // The dialog's own tests cover animations. Here the processor would render every frame of them.
    contextOptions: { reducedMotion: 'reduce' },
    trace: 'off',
    screenshot: 'only-on-failure',
  },
  projects: [
    { name: 'chromium', testMatch: inWholeBrowser, use: launched(fullBrowser()) },
    { name: 'headless shell', testIgnore: inWholeBrowser, use: launched(headlessShell()) },
    ...(process.env.TEST_ENGINES === 'all'
      ? [
          {
            name: 'on PostgreSQL',
            testMatch: onBothDatabases,
            use: { ...launched(headlessShell()), database: 'PostgreSQL' as const },
          },
        ]
      : []),
  ],
})
