import { apiPrefix } from '@latchkey/protocol/api'
import type { Capability } from '../../kernel/capability.ts'
import { page } from '../../kernel/http/pages/page.ts'

/**
 * The description is made when somebody asks for the first time; what makes it is loaded then, for most processes are
 * never asked.
 */
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
