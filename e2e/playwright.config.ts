import { defineConfig } from '@playwright/test'
import { fullBrowser, headlessShell } from '../scripts/local/chromium.ts'
import { browserHome } from './stack/https/certificates.ts'
import type { ProjectOptions } from './test.ts'

/** The path, and what opens windows or asks the browser itself for something, in the whole browser. */
const inWholeBrowser = ['the-path', 'oauth', 'passkey', 'passkey-window'].map((name) => `${name}.e2e.ts`)

/** What a script in the dialog can not have, on the other database too. */
const onBothDatabases = ['hostile-dialog', 'deceiving-dialog'].map((name) => `${name}.e2e.ts`)

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
  fullyParallel: false,
  // On two cores: a test waits for its product for a third of its time, as a person does.
  workers: 4,
  forbidOnly: Boolean(process.env.CI),
  // A busy machine may make one test late; the summary names what passed only when it was run again.
  retries: process.env.CI ? 2 : 0,
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
    {
      name: 'on PostgreSQL',
      testMatch: onBothDatabases,
      use: { ...launched(headlessShell()), database: 'PostgreSQL' },
    },
  ],
})
