import { chromium, expect, test } from '@playwright/test'
import { chromiumArgs, executablePath } from '../../scripts/local/chromium.ts'

test('Chromium disables the features that Playwright disables, but keeps storage partitioned', async () => {
  const browser = await chromium.launch({
    ...(executablePath !== undefined && { executablePath }),
    // Chromium reports its command line only with this switch.
    args: [...chromiumArgs(), '--enable-automation'],
  })
  try {
    const session = await browser.newBrowserCDPSession()
    const { arguments: args } = await session.send('Browser.getBrowserCommandLine')
    const [playwrights = [], ours = []] = args
      .filter((arg) => arg.startsWith('--disable-features='))
      .map((arg) => arg.slice(arg.indexOf('=') + 1).split(','))
    const expected = playwrights.filter((feature) => feature !== 'ThirdPartyStoragePartitioning')
    expect(expected).not.toEqual(playwrights)
    expect(ours.toSorted()).toEqual([...expected, 'WebUIOmniboxPopup'].toSorted())
  } finally {
    await browser.close()
  }
})
