import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createSite } from './site.ts'

const usage = `Serves the demo: an app that embeds the dialog, with everything to try.

  node demo/main.ts [--port 4010] [--host 127.0.0.1] [--dialog-url http://dialog.localhost:4000] [--app-id …]

Or from the environment: DEMO_PORT, DEMO_HOST, DEMO_DIALOG_URL, DEMO_APP_ID. With --inbox-url (DEMO_INBOX_URL) the
page links to the pages of the sandbox. Build the pages first: npm run build demo`

const refuse = (text: string): never => {
  console.error(text)
  process.exit(1)
}

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: process.env.DEMO_PORT ?? '4010' },
    host: { type: 'string', default: process.env.DEMO_HOST ?? '127.0.0.1' },
    'dialog-url': { type: 'string', default: process.env.DEMO_DIALOG_URL ?? 'http://dialog.localhost:4000' },
    'inbox-url': { type: 'string', default: process.env.DEMO_INBOX_URL ?? '' },
    'app-id': { type: 'string', default: process.env.DEMO_APP_ID ?? 'lkdemo0000000000000000001' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  console.log(usage)
  process.exit(0)
}

const port = Number(values.port)
if (!/^\d+$/.test(values.port) || port > 65_535) refuse(`--port must be a port number, not ${values.port}`)
if (!URL.canParse(values['dialog-url'])) refuse(`--dialog-url must be a URL, not ${values['dialog-url']}`)
const inboxUrl = values['inbox-url']
if (inboxUrl && !/^https?:\/\/[^\s"<>]+$/.test(inboxUrl))
  refuse(`--inbox-url must be an http or https URL, not ${inboxUrl}`)
if (!/^[a-z0-9]+$/.test(values['app-id']))
  refuse(`--app-id must have lowercase letters and digits only, not ${values['app-id']}`)

const folder = fileURLToPath(new URL('./dist', import.meta.url))
if (!existsSync(folder)) refuse('The pages are not built. Run: npm run build demo')

const site = createSite({
  folder,
  appId: values['app-id'],
  dialogOrigin: new URL(values['dialog-url']).origin,
  inboxUrl,
})
site.on('error', (error: NodeJS.ErrnoException) =>
  refuse(error.code === 'EADDRINUSE' ? `Port ${port} is in use. Choose another with --port.` : error.message),
)
site.listen(port, values.host, () => {
  const address = site.address()
  if (typeof address === 'object' && address !== null)
    console.log(`Demo: http://demo.localhost:${address.port}`)
})

const end = () => {
  site.close(() => process.exit(0))
  site.closeAllConnections()
}
process.on('SIGTERM', end)
process.on('SIGINT', end)
