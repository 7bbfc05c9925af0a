/** The preview of the documentation's theme editor: one screen with the settings in the fragment of the address. */
import type { ClientConfig } from '@latchkey/protocol'
import { createRoot } from 'react-dom/client'
import '../shell/page.css'
import { toLanguage } from '../i18n/languages.ts'
import styles from './gallery.module.css'
import { pictures } from './pictures.ts'
import { PicturedDialog } from './scene.tsx'

type Preview = { caption: string; config: ClientConfig }

function readPreview(): Preview {
  const fragment = decodeURIComponent(location.hash.slice(1))
  return fragment === '' ? { caption: 'Landing, nine methods', config: {} } : JSON.parse(fragment)
}

const darkScheme = matchMedia('(prefers-color-scheme: dark)')
const getScheme = (theme: string | undefined) =>
  theme === 'dark' || (theme !== 'light' && darkScheme.matches) ? 'dark' : 'light'

const root = createRoot(document.getElementById('root') as HTMLElement)

async function render(): Promise<void> {
  const { caption, config } = readPreview()
  const picture = pictures.find((one) => one.caption === caption)
  if (!picture) throw new Error(`The gallery has no picture "${caption}"`)
  await picture.screen(() => {}, 'en').load(toLanguage(config.intl?.locale))
  root.render(
    // Inert, because the screen would take the focus from the editor.
    <main inert className={styles.preview} data-scheme={getScheme(config.appearance?.theme)}>
      <PicturedDialog key={caption} picture={picture} config={config} heightPx={innerHeight} />
    </main>,
  )
}

for (const [target, event] of [
  [window, 'hashchange'],
  [window, 'resize'],
  [darkScheme, 'change'],
] as const)
  target.addEventListener(event, () => void render())
await render()
