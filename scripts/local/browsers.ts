import { existsSync } from 'node:fs'
import { endWithWords, say } from '../setup.mjs'
import { canInstallPackages, hasProgram, installationsEnded, installPackages } from './debian.ts'

const browserPlaces = [
  process.env.CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

const findBrowser = async () => {
  const { chromium } = await import('playwright')
  return [...browserPlaces, chromium.executablePath()].find((path) => path && existsSync(path))
}

type Engine = {
  name: string
  isHere: () => boolean
  packages: string[]
}

/** Tools that create the certificate of the test stack and add its authority to the browsers' trust stores. */
const certificateTools: Engine = {
  name: 'certutil and openssl',
  isHere: () => hasProgram('certutil') && hasProgram('openssl'),
  packages: ['libnss3-tools', 'openssl'],
}

/** The engines besides Chromium, by their test file: how to detect each, and the Debian packages it needs. */
export const engines: Readonly<Record<string, Engine>> = {
  firefox: {
    name: 'Firefox',
    isHere: () => existsSync(process.env.FIREFOX ?? '/usr/bin/firefox-esr') && certificateTools.isHere(),
    packages: ['firefox-esr', ...certificateTools.packages],
  },
  webkit: {
    name: 'WebKitGTK',
    isHere: () => existsSync(process.env.WEBKIT_DRIVER ?? '/usr/bin/WebKitWebDriver') && hasProgram('Xvfb'),
    packages: ['webkit2gtk-driver', 'xvfb'],
  },
}

/**
 * Installs an engine if it is missing. Returns the reason if it is unavailable; Chromium alone is sufficient.
 */
export const ensureEngine = async ({ name, isHere, packages }: Engine): Promise<string | undefined> => {
  await installationsEnded()
  if (isHere()) return undefined
  if (!canInstallPackages()) {
    return `${name} is not installed. On Debian, run: sudo apt-get install -y ${packages.join(' ')}`
  }
  say(`Installing ${name} for the browser tests. This takes a minute or two.`)
  return (
    (await installPackages(packages)) ?? (isHere() ? undefined : `${name} was installed but cannot be found.`)
  )
}

/** Chromium without browser windows, which needs a third less CPU. */
const headlessShell = {
  name: "Chromium's headless shell",
  path: process.env.HEADLESS_SHELL ?? '/usr/bin/chromium-headless-shell',
  packages: ['chromium-headless-shell'],
}

const headlessShellEngine: Engine = { ...headlessShell, isHere: () => existsSync(headlessShell.path) }

/**
 * Starts one installation of everything that the tests need and the machine lacks, in parallel with tests
 * without a browser. Steps that need an engine wait for it and report their problems.
 */
export const startInstallation = async (withOtherEngines: boolean): Promise<void> => {
  const hasChromium = (await findBrowser()) !== undefined
  if (!canInstallPackages()) return hasChromium ? undefined : endWithoutBrowser()
  const requiredEngines = [
    headlessShellEngine,
    certificateTools,
    ...(withOtherEngines ? Object.values(engines) : []),
  ]
  const names = requiredEngines.filter(({ isHere }) => !isHere()).flatMap(({ packages }) => packages)
  const missing = [...new Set([...(hasChromium ? [] : ['chromium']), ...names])]
  if (missing.length === 0) return
  say(`Installing ${missing.join(', ')} for the browser tests, beside the first steps.`)
  void installPackages(missing)
}

/**
 * Returns the paths of Chromium and its headless shell, as environment variables of the tests. Without the
 * shell, Chromium replaces it.
 */
export const ensureBrowsers = async () => {
  const CHROMIUM = await ensureBrowser()
  const withoutTools = await ensureEngine(certificateTools)
  if (withoutTools !== undefined) throw new Error(withoutTools)
  const missing = await ensureEngine(headlessShellEngine)
  return { CHROMIUM, HEADLESS_SHELL: missing === undefined ? headlessShell.path : CHROMIUM }
}

/** Returns the path of Chromium. Root may install it; other users get the installation command. */
export const ensureBrowser = async (): Promise<string> => {
  await installationsEnded()
  const present = await findBrowser()
  if (present !== undefined) return present
  if (!canInstallPackages()) return endWithoutBrowser()
  say('Installing Chromium, which the browser tests need. This takes a minute.')
  const problem = await installPackages(['chromium'])
  if (problem !== undefined) throw new Error(problem)
  const installed = await findBrowser()
  if (installed === undefined) {
    throw new Error('Chromium was installed but cannot be found. Set CHROMIUM to its path.')
  }
  return installed
}

function endWithoutBrowser(): never {
  const command = hasProgram('apt-get')
    ? 'sudo apt-get install -y chromium'
    : 'npx playwright install chromium'
  return endWithWords(`The browser tests need Chromium, which is not installed. Run:\n\n  ${command}\n`)
}
