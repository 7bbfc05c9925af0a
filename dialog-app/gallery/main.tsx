import { createRoot } from 'react-dom/client'
import '../shell/page.css'
import { languageOf } from '../i18n/languages.ts'
import { Components } from './components.tsx'
import styles from './gallery.module.css'
import { pictures } from './pictures.ts'
import { addressOf, choices, localeOf, type Query, readQuery } from './query.ts'
import { Scene } from './scene.tsx'

const chosen: { readonly [part in Query['part']]?: readonly string[] } = {
  /** The cards in the README. */
  picture: ['Landing, address typed', 'Code, half typed', 'Sign'],
  /** Shows a single screen of each kind. */
  overview: [
    'Landing, nine methods',
    'Code, wrong',
    'OAuth, window open',
    'Wallet, on any phone',
    'Passkey, not allowed',
    'Wallet created, new user',
    'Sign',
    'Send',
    'Transactions together, of many digits',
    'Verification methods, some added',
    'Receive',
    'Error',
  ],
}

function Gallery({ query }: { query: Query }) {
  const captions = chosen[query.part]
  const shown = captions ? pictures.filter(({ caption }) => captions.includes(caption)) : pictures
  return (
    <main className={styles.gallery} data-part={query.part} data-scheme={query.scheme}>
      {query.part !== 'picture' && <Choices query={query} />}
      {query.part === 'components' ? (
        <Components query={query} />
      ) : (
        <div className={styles.scenes}>
          {shown.map((picture) => (
            <Scene key={picture.caption} picture={picture} query={query} />
          ))}
        </div>
      )}
    </main>
  )
}

const Choices = ({ query }: { query: Query }) => (
  <nav className={styles.choices} aria-label="What is shown">
    {Object.entries(choices).map(([name, values]) => (
      <span key={name} className={styles.choice}>
        {values.map((value) => (
          <a
            key={value}
            href={addressOf({ ...query, [name]: value })}
            aria-current={Object.values(query).includes(value) ? 'true' : undefined}
          >
            {value}
          </a>
        ))}
      </span>
    ))}
  </nav>
)

const query = readQuery(location.search)
const root = document.getElementById('root')
await Promise.all(pictures.map(({ screen }) => screen(() => {}).load(languageOf(localeOf(query)))))
if (root) createRoot(root).render(<Gallery query={query} />)
