import { existsSync } from 'node:fs'
import { asShipped as asPeopleHaveIt } from '@latchkey/testing/playwright'

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

/** Chromium as people have it, for a machine without a screen. */
export const asShipped = (...alsoDisabled: readonly string[]) => [
  ...quiet,
  ...asPeopleHaveIt(...alsoDisabled),
]
