import { defineConfig } from '@playwright/test'
import { fullBrowser, headlessShell } from '../scripts/local/chromium.ts'
import { browserHome } from './stack/https/certificates.ts'
import type { ProjectOptions } from './test.ts'

/** Tests of the browser's own interface: the path, and passkeys that it asks for. */
const inWholeBrowser = ['the-path', 'passkey'].map((name) => `**/${name}.e2e.ts`)

/** Attacks by a script in the dialog. `npm run test:all` also runs them on PostgreSQL. */
const onBothDatabases = ['hostile-dialog', 'deceiving-dialog'].map((name) => `**/${name}.e2e.ts`)

const launched = (browser: ReturnType<typeof fullBrowser>) => ({
  launchOptions: {
    ...browser,
    env: { ...process.env, HOME: browserHome },
    // Playwright lets every pop-up through.
    ignoreDefaultArgs: ['--disable-popup-blocking'],
  },
})

export default defineConfig<object, ProjectOptions>({
  testDir: '.',
  testMatch: '**/*.e2e.ts',
  globalSetup: './stack/https/set-up.ts',
  outputDir: '../test-results',
  // Deadlines for what hangs: how fast something is decides no test.
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
    // How a card moves is seen in the dialog's own tests; here each frame of it is drawn by the processor.
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
