/**
 * Firefox over WebDriver BiDi. Playwright's own Firefox build is not available everywhere. Its channel for
 * stock Firefox breaks clicks in cross-site frames.
 */
import '../stack/resolve-localhost.ts'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import puppeteer, { type Browser, type BrowserContext } from 'puppeteer-core'
import { afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { localPorts } from '../../scripts/local/ports.ts'
import { firefoxProfile } from '../stack/https/certificates.ts'
import { type Stack, startStack } from '../stack/stack.ts'
import { Visitor } from './visitor.ts'

const firefoxPath = process.env.FIREFOX ?? '/usr/bin/firefox-esr'

export type FirefoxSettings = Readonly<Record<string, string | number | boolean>>

export async function launchFirefox(settings: FirefoxSettings = {}): Promise<Browser> {
  const profile = mkdtempSync(join(tmpdir(), 'latchkey-firefox-'))
  cpSync(firefoxProfile, profile, { recursive: true })
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: firefoxPath,
    headless: true,
    userDataDir: profile,
    extraPrefsFirefox: {
      // Caret browsing and first-run pages would take keys and focus.
      'accessibility.browsewithcaret': false,
      'browser.aboutwelcome.enabled': false,
      'datareporting.policy.dataSubmissionEnabled': false,
      // Without a GPU, the processor draws every frame.
      'layout.css.backdrop-filter.enabled': false,
      'ui.prefersReducedMotion': 1,
      ...settings,
    },
  })
  browser.process()?.once('exit', () => rmSync(profile, { recursive: true, force: true }))
  return browser
}

const startMs = 90_000
/** Each parallel worker has its own stack. */
const firstPort = () => localPorts().server + 300 + (Number(process.env.VITEST_POOL_ID ?? 1) - 1) * 50

type Shared = { stack: Stack; browser: Browser }
let starting: Promise<Shared> | undefined
/** Starts a stack and a browser on the first call. All files of a worker share them. */
const startOnce = () => {
  starting ??= (async () => ({ stack: await startStack(firstPort()), browser: await launchFirefox() }))()
  return starting
}

/** Runs the tests of a file with these app settings, each in a new profile. */
export function inFirefox(appSettings: readonly string[] = []) {
  let shared: Shared | undefined
  let profile: BrowserContext | undefined
  const visitors: Visitor[] = []

  beforeAll(async () => {
    shared = await startOnce()
    await shared.stack.useSettings(appSettings)
  }, startMs)
  beforeEach(async () => {
    profile = await shared?.browser.createBrowserContext()
  })
  /** Errors and policy violations on any page fail the test in which they occur. */
  afterEach(async () => {
    const complaints = visitors.splice(0).flatMap(({ complaints }) => complaints.seen)
    await profile?.close()
    expect(complaints).toEqual([])
  })

  /** Opens a tab for a visitor. */
  async function come(): Promise<Visitor> {
    if (!shared || !profile) throw new Error('Firefox is available only within a test')
    const visitor = await Visitor.come(profile, shared.stack)
    visitors.push(visitor)
    return visitor
  }
  return {
    get stack(): Stack {
      if (!shared) throw new Error('The stack is available only within a test')
      return shared.stack
    },
    come,
    async arrive(path?: string) {
      const visitor = await come()
      await visitor.open(path)
      return visitor
    },
  }
}
