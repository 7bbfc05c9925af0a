import { createLatchkey } from '@latchkey/loader'
import { settings } from './look/look.ts'
import { metaContent } from './page/elements.ts'

export const latchkey = createLatchkey({
  appId: metaContent('app-id'),
  dialogUrl: metaContent('dialog-url'),
  config: settings(),
})
