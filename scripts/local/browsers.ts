import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { endWithWords, say, withoutHosts } from '../setup.mjs'

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

const hasProgram = (name: string) =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, name)))

/** Answers what went wrong, in words, or nothing. */
const installDebianPackages = (names: readonly string[]) => {
  for (const args of [['update'], ['install', '-y', ...names]]) {
    const { status, stdout, stderr } = spawnSync('apt-get', args, {
      encoding: 'utf8',
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
    if (status !== 0)
      return `apt-get ${args.join(' ')} failed:\n${withoutHosts(`${stdout}\n${stderr}`).trim()}`
  }
  return undefined
}

type Engine = {
  readonly name: string
  readonly isHere: () => boolean
  readonly packages: readonly string[]
}

/** They make the certificate of the stack, and put its authority into the trust stores of the browsers' own profiles. */
const certificateTools: Engine = {
  name: 'certutil and openssl',
  isHere: () => hasProgram('certutil') && hasProgram('openssl'),
  packages: ['libnss3-tools', 'openssl'],
}

/** Engines beside Chromium, by the file of their tests: how each is known to be here, and what of Debian's brings it. */
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

/** Nothing where the engine is here or could be installed; else why not. Chromium alone is enough to go on. */
export const ensureEngine = ({ name, isHere, packages }: Engine): string | undefined => {
  if (isHere()) return undefined
  if (!hasProgram('apt-get') || process.getuid?.() !== 0) {
    return `${name} is not installed. On Debian, run: sudo apt-get install -y ${packages.join(' ')}`
  }
  say(`Installing ${name} for the browser tests. This takes a minute or two.`)
  return (
    installDebianPackages(packages) ?? (isHere() ? undefined : `${name} was installed but cannot be found.`)
  )
}

/** Chromium without windows around its pages, which takes a third less of the processor. */
const headlessShell = {
  name: "Chromium's headless shell",
  path: process.env.HEADLESS_SHELL ?? '/usr/bin/chromium-headless-shell',
  packages: ['chromium-headless-shell'],
}

/**
 * The paths of a Chromium and of its headless shell, as the tests find them in their environment. Where the shell can
 * not be had, Chromium does its work.
 */
export const ensureBrowsers = async () => {
  const CHROMIUM = await ensureBrowser()
  const withoutTools = ensureEngine(certificateTools)
  if (withoutTools !== undefined) endWithWords(withoutTools)
  const { path, ...engine } = headlessShell
  const missing = ensureEngine({ ...engine, isHere: () => existsSync(path) })
  return { CHROMIUM, HEADLESS_SHELL: missing === undefined ? path : CHROMIUM }
}

/** The path of a Chromium. Root may install one; anybody else is told the one command that does. */
export const ensureBrowser = async () => {
  const found = await findBrowser()
  if (found !== undefined) return found
  const hasApt = hasProgram('apt-get')
  if (!hasApt || process.getuid?.() !== 0) {
    const command = hasApt ? 'sudo apt-get install -y chromium' : 'npx playwright install chromium'
    endWithWords(`The browser tests need Chromium, which is not installed. Run:\n\n  ${command}\n`)
  }
  say('Installing Chromium, which the browser tests need. This takes a minute.')
  const failure = installDebianPackages(['chromium'])
  if (failure !== undefined) endWithWords(failure)
  return (
    (await findBrowser()) ??
    endWithWords('Chromium was installed but cannot be found. Set CHROMIUM to its path.')
  )
}
