/** Chromium for the project's tests and tools. */
import { existsSync } from 'node:fs'
import { partitionedStorageArgs } from '../../sdk/testing/playwright/chromium.ts'

const debianPath = '/usr/bin/chromium'

/** The installed Chromium. Undefined means Playwright's own download. */
export const executablePath = process.env.CHROMIUM ?? (existsSync(debianPath) ? debianPath : undefined)

/** Chromium without browser windows. It needs a third less CPU than the full browser. */
export const headlessShellPath = process.env.HEADLESS_SHELL ?? executablePath

/** Returns the arguments that every Chromium of the project starts with, in addition to Playwright's. */
export const chromiumArgs = (...disabledFeatures: readonly string[]) => [
  '--disable-gpu',
  '--disable-quic',
  ...partitionedStorageArgs(...disabledFeatures),
]

/** Returns Playwright launch options for the headless shell. */
export const headlessShell = (...disabledFeatures: readonly string[]) => ({
  ...(headlessShellPath !== undefined && { executablePath: headlessShellPath }),
  args: chromiumArgs(...disabledFeatures),
})
