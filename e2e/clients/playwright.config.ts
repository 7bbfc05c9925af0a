import { defineConfig } from '@playwright/test'
import { fullBrowser } from '../../scripts/local/chromium.ts'
import { browserHome } from '../stack/https/certificates.ts'

export default defineConfig({
  testDir: '.',
  testMatch: '*.clients.ts',
  globalSetup: '../stack/https/set-up.ts',
  outputDir: '../../test-results',
  timeout: 120_000,
  expect: { timeout: 20_000 },
  workers: 2,
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  retries: 1,
  reporter: [['list']],
  use: {
    browserName: 'chromium',
    headless: true,
    viewport: { width: 1024, height: 768 },
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
    launchOptions: {
      // Pages that a test fulfils count as public, and public pages may not frame local ones.
      ...fullBrowser('LocalNetworkAccessChecks'),
      env: { ...process.env, HOME: browserHome },
      ignoreDefaultArgs: ['--disable-popup-blocking'],
    },
  },
})
