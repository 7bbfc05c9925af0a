/** Locations of Chromium for tests and tools. */
import { existsSync } from 'node:fs'
import { partitionedStorageArgs } from '../../sdk/testing/playwright/chromium.ts'

const debianPath = '/usr/bin/chromium'

/** The installed Chromium. Undefined means Playwright's own download. */
const fullBrowserPath = process.env.CHROMIUM ?? (existsSync(debianPath) ? debianPath : undefined)

/** Chromium without its browser UI. It needs a third less CPU than the full browser. */
export const headlessShellPath = process.env.HEADLESS_SHELL ?? fullBrowserPath

const launchOptions = (executablePath: string | undefined, disabledFeatures: string[]) => ({
  ...(executablePath !== undefined && { executablePath }),
  args: ['--disable-gpu', '--disable-quic', ...partitionedStorageArgs(...disabledFeatures)],
})

/** Returns Playwright launch options for the full browser. */
export const fullBrowser = (...disabledFeatures: string[]) => launchOptions(fullBrowserPath, disabledFeatures)

/** Returns Playwright launch options for the headless shell. */
export const headlessShell = (...disabledFeatures: string[]) =>
  launchOptions(headlessShellPath, disabledFeatures)
