import { apiPrefix } from '@latchkey/protocol/api'
import type { Capability } from '../capability.ts'
import { page } from '../http/page.ts'
import { openApi } from './openapi.ts'

const description = openApi()

export const openapi: Capability = {
  name: 'openapi',
  pages: [
    page({
      site: 'any',
      method: 'GET',
      path: `${apiPrefix}/openapi.json`,
      openedBy: 'anybody',
      headers: { 'cache-control': 'no-cache' },
      answer: () => ({ type: 'json', value: description }),
    }),
  ],
}
