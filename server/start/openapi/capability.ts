import { apiPrefix } from '@latchkey/protocol/api'
import type { Capability } from '../../kernel/capability.ts'
import { page } from '../../kernel/http/pages/page.ts'

/** Built on the first request. Its builder is loaded only then, because most processes never need it. */
let description: Promise<object> | undefined

const describe = async () => (await import('./openapi.ts')).openApi()

export const openapi: Capability = {
  name: 'openapi',
  pages: [
    page({
      site: 'any',
      method: 'GET',
      path: `${apiPrefix}/openapi.json`,
      openedBy: 'anybody',
      headers: { 'cache-control': 'no-cache' },
      answer: async () => {
        description ??= describe()
        return { type: 'json', value: await description }
      },
    }),
  ],
}
