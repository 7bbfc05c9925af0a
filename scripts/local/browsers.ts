// The browsers and tools of the tests, from Debian: `playwright install` has neither WebKitGTK nor the Firefox of
// Debian, and downloads from a host that a restricted network lacks.

import { existsSync } from 'node:fs'
import { endWithWords, say } from '../setup.mjs'
import { canInstallPackages, hasProgram, installationsEnded, installPackages } from './debian.ts'

type Engine = {
  name: string
  isHere: () => boolean | Promise<boolean>
  packages: string[]
}

const chromiumPaths = [
  process.env.CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

async function findChromium(): Promise<string | undefined> {
  const { chromium } = await import('playwright')
  return [...chromiumPaths, chromium.executablePath()].find((path) => path && existsSync(path))
}

const chromium: Engine = {
  name: 'Chromium',
  isHere: async () => (await findChromium()) !== undefined,
  packages: ['chromium'],
}

const headlessShellPath = process.env.HEADLESS_SHELL ?? '/usr/bin/chromium-headless-shell'
/** Chromium without browser windows, which needs a third less CPU. */
const headlessShell: Engine = {
  name: "Chromium's headless shell",
  isHere: () => existsSync(headlessShellPath),
  packages: ['chromium-headless-shell'],
}

const hasCertificateTools = () => hasProgram('certutil') && hasProgram('openssl')
/** Tools that create the certificate of the test stack and add its authority to the browsers' trust stores. */
const certificateTools: Engine = {
  name: 'certutil and openssl',
  isHere: hasCertificateTools,
  packages: ['libnss3-tools', 'openssl'],
}

/** The engines besides Chromium, by their test file. */
export const engines: Readonly<Record<string, Engine>> = {
  firefox: {
    name: 'Firefox',
    isHere: () => existsSync(process.env.FIREFOX ?? '/usr/bin/firefox-esr') && hasCertificateTools(),
    packages: ['firefox-esr', ...certificateTools.packages],
  },
  webkit: {
    name: 'WebKitGTK',
    isHere: () => existsSync(process.env.WEBKIT_DRIVER ?? '/usr/bin/WebKitWebDriver') && hasProgram('Xvfb'),
    packages: ['webkit2gtk-driver', 'xvfb'],
  },
}

const explainMissing = ({ name, packages }: Engine) =>
  `${name} is not installed. On Debian, run: sudo apt-get install -y ${packages.join(' ')}`

/** Installs an engine if it is missing. Returns the reason if it is unavailable. */
export async function ensureEngine(engine: Engine): Promise<string | undefined> {
  const { name, isHere, packages } = engine
  await installationsEnded()
  if (await isHere()) return undefined
  if (!canInstallPackages()) return explainMissing(engine)
  say(`Installing ${name} for the browser tests. This takes a minute or two.`)
  const problem = await installPackages(packages)
  return problem ?? ((await isHere()) ? undefined : `${name} was installed but cannot be found.`)
}

/**
 * Starts one installation of everything that the tests need and the machine lacks, in parallel with tests
 * without a browser. Steps that need an engine wait for it and report their problems.
 */
export async function startInstallation(withOtherEngines: boolean): Promise<void> {
  const required = [chromium, headlessShell, certificateTools]
  if (withOtherEngines) required.push(...Object.values(engines))
  const presence = await Promise.all(required.map(({ isHere }) => isHere()))
  const missing = required.filter((_, index) => !presence[index])
  if (missing.length === 0) return
  if (!canInstallPackages()) {
    if (!missing.includes(chromium)) return
    endWithWords(`${explainMissing(chromium)}. Elsewhere, run: npx playwright install chromium`)
  }
  const packages = [...new Set(missing.flatMap((engine) => engine.packages))]
  say(`Installing ${packages.join(', ')} for the browser tests, beside the first steps.`)
  void installPackages(packages)
}

/**
 * Returns the paths of Chromium and its headless shell, as environment variables of the tests. Without the
 * shell, Chromium replaces it.
 */
export async function ensureBrowsers(): Promise<{ CHROMIUM: string; HEADLESS_SHELL: string }> {
  for (const engine of [chromium, certificateTools]) {
    const problem = await ensureEngine(engine)
    if (problem !== undefined) throw new Error(problem)
  }
  const CHROMIUM = (await findChromium()) ?? ''
  const hasShell = (await ensureEngine(headlessShell)) === undefined
  return { CHROMIUM, HEADLESS_SHELL: hasShell ? headlessShellPath : CHROMIUM }
}
