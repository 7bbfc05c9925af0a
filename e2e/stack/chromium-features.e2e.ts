import { chromium, expect, test } from '@playwright/test'
import { fullBrowser } from '../../scripts/local/chromium.ts'

test('Chromium disables the features that Playwright disables, but keeps storage partitioned', async () => {
  const launch = fullBrowser()
  // Chromium reports its command line only with this switch.
  const browser = await chromium.launch({ ...launch, args: [...launch.args, '--enable-automation'] })
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
