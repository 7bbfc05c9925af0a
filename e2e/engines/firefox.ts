/** Firefox over WebDriver BiDi. Playwright's own Firefox build cannot be had everywhere, and its channel for a
 * stock Firefox makes clicks in cross-site frames do nothing. */
import puppeteer, { type Browser } from 'puppeteer-core'

export const firefoxPath = process.env.FIREFOX ?? '/usr/bin/firefox-esr'

export type FirefoxSettings = Readonly<Record<string, string | number | boolean>>

export const launchFirefox = (settings: FirefoxSettings = {}): Promise<Browser> =>
  puppeteer.launch({
    browser: 'firefox',
    executablePath: firefoxPath,
    headless: true,
    extraPrefsFirefox: {
      // Caret browsing and the first-run pages would take keys and focus.
      'accessibility.browsewithcaret': false,
      'browser.aboutwelcome.enabled': false,
      'datareporting.policy.dataSubmissionEnabled': false,
      ...settings,
    },
  })
