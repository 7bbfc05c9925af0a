/**
 * A page that runs a bundle of this folder instead of its script: the product's facts, or React on the mock.
 */
import { join } from 'node:path'
import { bundledPage, serveBundle } from '../stack/bundled-page.ts'
import { test as withStack } from '../test.ts'

type Bundles = { facts: string; react: string }
type Fixtures = { openPage: (bundle: keyof Bundles) => Promise<void> }

export const test = withStack.extend<Fixtures, { bundles: Bundles }>({
  bundles: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern to know what a fixture needs.
    async ({}, use) => {
      const of = (file: string) => bundledPage(join(import.meta.dirname, file))
      await use({ facts: await of('facts-page.ts'), react: await of('react-page.tsx') })
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  async openPage({ page, host, stack, bundles }, use) {
    await use(async (bundle) => {
      await serveBundle(page, stack, bundles[bundle])
      await host.open('/one-line.html')
    })
  },
})
