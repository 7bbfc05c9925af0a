/** A host app's config of `@latchkey/testing`, as its README shows it. */
import { latchkey } from '@latchkey/testing/playwright'
import { defineConfig, devices } from '@playwright/test'
import { headlessShellPath } from '../../scripts/local/chromium.ts'
import { localPorts } from '../../scripts/local/ports.ts'

const port = localPorts().server + 60
const origin = `http://localhost:${port}`
const product = await latchkey({ origin, appName: 'Fieldnotes' })

export default defineConfig({
  testMatch: '**/*.spec.ts',
  outputDir: '../../test-results/testing',
  timeout: 120_000,
  expect: { timeout: 30_000 },
  fullyParallel: true,
  workers: 2,
  forbidOnly: Boolean(process.env.CI),
  reporter: [['list']],
  webServer: [
    product.webServer,
    {
      command: 'node app.ts',
      url: origin,
      env: {
        PORT: String(port),
        APP_ID: product.product.appId,
        DIALOG_URL: product.product.dialogUrl,
        CHAIN_URL: product.product.chainUrl,
      },
    },
  ],
  use: { baseURL: origin, ...product.use, contextOptions: { reducedMotion: 'reduce' } },
  projects: [
    {
      name: 'chromium',
      use: {
        ...devices['Desktop Chrome'],
        launchOptions: {
          ...product.chromium.launchOptions,
          ...(headlessShellPath !== undefined && { executablePath: headlessShellPath }),
        },
      },
    },
  ],
})
