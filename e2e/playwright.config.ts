import { existsSync } from 'node:fs'
import { defineConfig } from '@playwright/test'

/**
 * Chromium as people have it. Playwright switches storage partitioning off, with which frames would share what
 * they must not, and pop-up blocking too; the last `--disable-features` wins.
 */
const asShipped = [
  '--disable-features=AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,LensOverlay,MediaRouter,PaintHolding,OptimizationHints',
]
const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const debian = '/usr/bin/chromium'
const executablePath = process.env.CHROMIUM ?? (existsSync(debian) ? debian : undefined)

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.e2e.ts',
  outputDir: '../test-results',
  timeout: 45_000,
  expect: { timeout: 10_000 },
  fullyParallel: false,
  workers: 2,
  forbidOnly: Boolean(process.env.CI),
  // A machine that is busy with something else may make one test late; the summary names what needed a second run.
  retries: process.env.CI ? 1 : 0,
  reporter: [['list']],
  use: {
    browserName: 'chromium',
    headless: true,
    launchOptions: {
      ...(executablePath && { executablePath }),
      args: [...quiet, ...asShipped],
      ignoreDefaultArgs: ['--disable-popup-blocking'],
    },
    viewport: { width: 1024, height: 768 },
    trace: 'off',
    screenshot: 'only-on-failure',
  },
})
