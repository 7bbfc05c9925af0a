import { referencePages as protocolPages } from '../../../protocol/doc/pages.ts'
import { referencePages as serverPages } from '../../../server/start/reference/pages.ts'
import { renderClientCalls } from './client-calls.ts'
import { renderLanguages } from './languages.ts'

/** The generated pages and files of every package. */
export const referencePages = [
  ...protocolPages,
  ...serverPages,
  { path: 'docs/reference/client.md', render: renderClientCalls },
  { path: 'docs/reference/languages.md', render: renderLanguages },
]
