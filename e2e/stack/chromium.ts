import { existsSync } from 'node:fs'

const debian = '/usr/bin/chromium'

/** The browser that the machine has; Playwright's own where it is neither named nor Debian's. */
export const executablePath = process.env.CHROMIUM ?? (existsSync(debian) ? debian : undefined)

/** Chromium without windows around its pages, which is cheaper for tests that need none. */
export const headlessShellPath = process.env.HEADLESS_SHELL ?? executablePath

const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** What Playwright disables itself, without its storage partitioning and pop-up switches. */
const disabled = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'OptimizationHints',
]

/**
 * Chromium as people have it. Playwright switches storage partitioning off, with which frames would share what
 * they must not; the last `--disable-features` wins.
 */
export const asShipped = (...alsoDisabled: readonly string[]) => [
  ...quiet,
  `--disable-features=${[...disabled, ...alsoDisabled].join()}`,
]
