/** Records every place to which a key could leak: messages, requests, documents, storage and logs. */
import type { BrowserContext, Page } from '@playwright/test'
import type { Stack } from '../stack/stack.ts'
import { recordMessages } from './recorded-messages.ts'

type Trace = { where: string; text: string }

type Watched = { context: BrowserContext; page: Page; stack: Stack }

/** Starts recording with the next page load. */
export async function watchTraces({ context, page, stack }: Watched) {
  const traces: Trace[] = []
  await context.exposeFunction('__record', (where: string, text: string) => traces.push({ where, text }))
  await context.addInitScript(recordMessages)
  page.on('console', (message) => traces.push({ where: 'console', text: message.text() }))
  page.on('request', (request) => {
    const text = [request.url(), JSON.stringify(request.headers()), request.postData()].join()
    traces.push({ where: `request ${request.url()}`, text })
  })
  await page.reload()
  await page.waitForFunction('window.latchkey')

  return {
    /** Records the current documents, except those that may show the key. */
    async recordDocuments(mayShow: (url: string) => boolean = () => false) {
      for (const frame of page.frames().filter((each) => !mayShow(each.url()))) {
        const text = await frame.evaluate(() => document.documentElement.outerHTML)
        traces.push({ where: frame.url(), text })
      }
    },
    /** Returns all traces, including storage and logs. */
    async all(): Promise<readonly Trace[]> {
      const { origins } = await context.storageState({ indexedDB: true })
      return [
        ...traces,
        ...origins.map(({ origin, ...kept }) => ({ where: origin, text: JSON.stringify(kept) })),
        { where: 'logs', text: stack.logs() },
        { where: 'address', text: page.url() },
      ]
    },
  }
}
