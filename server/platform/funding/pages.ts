/** What a provider tells by itself. Its signature is what it is known by. */
import { LatchkeyError } from '@latchkey/protocol'
import { apiPrefix } from '@latchkey/protocol/api'
import { readBody } from '../../kernel/http/body.ts'
import { type Page, page } from '../../kernel/http/page.ts'
import { hearProvider } from './funding.ts'

export const fundingPages: readonly Page[] = [
  page({
    site: 'any',
    method: 'POST',
    path: `${apiPrefix}/plugins/moonpay_on_ramp/webhook`,
    openedBy: 'anybody',
    async answer({ c }, context) {
      const body = await readBody(c, 'application/json')
      const heard = await hearProvider(context, c.req.raw.headers, body)
      if (heard === 'heard') return { type: 'json', value: { success: true } }
      throw new LatchkeyError('invalid_credentials', 'This was not signed by the provider')
    },
  }),
]
