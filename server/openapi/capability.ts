import { apiPrefix } from '@latchkey/protocol/api'
import type { Capability } from '../capability.ts'
import { page } from '../http/page.ts'
import { openApi } from './openapi.ts'

/** Made when somebody asks for the first time. */
let description: ReturnType<typeof openApi> | undefined

export const openapi: Capability = {
  name: 'openapi',
  pages: [
    page({
      site: 'any',
      method: 'GET',
      path: `${apiPrefix}/openapi.json`,
      openedBy: 'anybody',
      headers: { 'cache-control': 'no-cache' },
      answer: () => {
        description ??= openApi()
        return { type: 'json', value: description }
      },
    }),
  ],
}
