/** Starts the page of a confirmation. It shares the dialog's screens, and runs none of its core. */
import { readInlineConfig } from './host/inline-config.ts'

const config = readInlineConfig(document)
const name = location.pathname.split('/').at(-1) ?? ''
const locale = new URLSearchParams(location.search).get('locale') ?? undefined
const root = document.getElementById('root') ?? document.body
const { startConfirmPage } = await import('./start-confirm-page.ts')
startConfirmPage({ config, name, locale, root })
